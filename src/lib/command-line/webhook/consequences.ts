/** The checks of a handler, and what goes wrong in production if one fails. */
export const consequences = {
  'good-call': 'It accepts no calls: the service switches it off after 30 failures.',
  'unusual-json': 'It verifies JSON that was parsed and written again, not the bytes as received.',
  'no-signature': 'Anybody can call it: it accepts a call without a signature.',
  'wrong-signature': 'Anybody can call it: it accepts a signature with another secret.',
  'old-timestamp':
    'Anybody who has recorded a call can repeat it: reject timestamps older than five minutes.',
  'changed-body': 'Anybody who has seen a call can change it: verify the whole body each time.',
  'unknown-event':
    'New events fail until the service switches it off: accept events that it does not know.',
  'same-call-twice':
    'A call whose response was lost never succeeds: accept the repeat, and do nothing.',
  'out-of-order': 'Events may overtake each other: accept the earlier one, too.',
  'after-500': 'It loses what it failed to accept at the first attempt: accept retries.',
  'first-call-late':
    'It loses calls in bursts: accept a first call that says attempt 4 and X-UseSend-Retry: true.',
  'missing-calls':
    'It fails if an earlier call never arrives: accept an event even if those before it are missing.',
  'huge-body': 'It fails on a body of 512 KiB: raise the limit.',
  'many-at-once': 'It fails on several calls at once, as after an outage.',
  'content-type': 'It rejects application/json; charset=utf-8, which proxies may send instead.',
} as const satisfies Readonly<Record<string, string>>;

export type HandlerCheck = keyof typeof consequences;

// The keys of an object literal are what its type says.
export const handlerChecks = Object.keys(consequences) as [HandlerCheck, ...HandlerCheck[]];
