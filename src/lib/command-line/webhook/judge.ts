import type { HandlerResponse } from './send-call.ts';
import type { Grade } from './webhook-shapes.ts';

type CheckName = Grade['check'];

/** What goes wrong in production if a check fails. */
const consequences: Readonly<Record<CheckName, string>> = {
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
};

/** Milliseconds after which a response is close to the limit of ten seconds. */
const slow = 5000;

/** Judges the responses to the calls of a check, which a good handler accepts or rejects. */
export function gradeOf(
  check: CheckName,
  wanted: 'accept' | 'reject',
  responses: readonly HandlerResponse[],
): Grade {
  const answered = responses.map(({ status }) => status);
  const milliseconds = Math.max(...responses.map((one) => one.milliseconds));
  const base = {
    check,
    answered,
    expected: wanted === 'accept' ? '200 to 299' : '400 to 499',
    milliseconds,
  };
  const isAccepted = responses.every(({ delivered }) => delivered);
  if (wanted === 'accept' && !isAccepted) {
    // The service sends one call at a time, and bodies of this size are rare.
    const isMild = answered.every((one) => one === 413 || one === 429 || isSuccess(one));
    return { ...base, outcome: isMild ? 'risky' : 'failed', consequence: consequences[check] };
  }
  if (wanted === 'reject' && answered.some((one) => isSuccess(one))) {
    return { ...base, outcome: 'failed', consequence: consequences[check] };
  }
  if (wanted === 'reject' && answered.some((one) => one === null || one < 400 || one > 499)) {
    const consequence = 'It rejects the call as if something had broken: respond with 401.';
    return { ...base, outcome: 'risky', consequence };
  }
  if (milliseconds > slow) {
    const consequence =
      'It is slow: after ten seconds a call has failed. Respond first, then work.';
    return { ...base, outcome: 'risky', consequence };
  }
  return { ...base, outcome: 'ok', consequence: '' };
}

function isSuccess(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300;
}
