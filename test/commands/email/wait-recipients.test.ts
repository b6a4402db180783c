import { describe, expect, test } from 'vitest';
import { connected, failureOf } from '../../support/connected.ts';
import { listItem } from '../../support/emails.ts';
import type { Answer } from '../../support/recorder.ts';
import { createWorld } from '../../support/run.ts';

interface Event {
  readonly status: string;
  readonly data: unknown;
}

const delivered = (...recipients: readonly string[]): Event => ({
  status: 'DELIVERED',
  data: { recipients, smtpResponse: '250 ok' },
});
const bounced = (...addresses: readonly string[]): Event => ({
  status: 'BOUNCED',
  data: {
    bounceType: 'Permanent',
    bouncedRecipients: addresses.map((emailAddress) => ({
      emailAddress,
      diagnosticCode: `550 no ${emailAddress}`,
    })),
  },
});
const complained = (...addresses: readonly string[]): Event => ({
  status: 'COMPLAINED',
  data: { complainedRecipients: addresses.map((emailAddress) => ({ emailAddress })) },
});
const unnamed = (status: string): Event => ({ status, data: null });

const ana = 'ana@example.org';
const ben = 'ben@example.org';
const twoRecipients = { to: ['Ana <Ana@Example.org>', ben] };

/** The email with these events, one per second. */
function email(events: readonly Event[], fields: object = twoRecipients): Answer {
  const emailEvents = events.map((event, index) => ({
    emailId: 'em_1',
    createdAt: new Date(Date.parse('2026-01-15T10:00:00Z') + index * 1000).toISOString(),
    ...event,
  }));
  return { body: { id: 'em_1', cc: null, bcc: null, emailEvents, ...fields } };
}

/** Waits for an email whose events are these at each request. */
async function wait(flags: string, looks: readonly (readonly Event[])[], fields?: object) {
  const { run, service } = await connected(...looks.map((events) => email(events, fields)));
  const outcome = await run(`email get em_1 ${flags} --wait-timeout 0.5s --json`);
  return {
    exitCode: outcome.exitCode,
    looks: service.requests.length,
    ...(outcome.exitCode === 0 ? {} : { message: failureOf(outcome).message }),
  };
}

describe('DELIVERED is for every recipient', () => {
  test('the first delivery does not end the wait, the last does', async () => {
    const looks = [[delivered(ana)], [delivered(ana), delivered(ben)]];
    expect(await wait('--wait', looks)).toEqual({ exitCode: 0, looks: 2 });
  });

  test('one event may name several', async () => {
    expect(await wait('--wait', [[delivered(ana, ben)]])).toEqual({ exitCode: 0, looks: 1 });
  });

  test('copies count, blind ones too', async () => {
    const fields = { to: ana, cc: ['Ben <ben@example.org>'], bcc: 'cid@example.org' };
    const looks = [[delivered(ana, ben)], [delivered(ana, ben), delivered('cid@example.org')]];
    expect(await wait('--wait', looks, fields)).toEqual({ exitCode: 0, looks: 2 });
  });

  test('an address given twice is one recipient', async () => {
    const fields = { to: [ana, 'ANA@example.org'], cc: ana };
    expect(await wait('--wait', [[delivered(ana)]], fields)).toEqual({ exitCode: 0, looks: 1 });
  });

  test('domains are compared without case', async () => {
    const fields = { to: [ana, 'b@bücher.example'] };
    const looks = [[delivered(ana), delivered('b@xn--bcher-kva.example')]];
    expect(await wait('--wait', looks, fields)).toEqual({ exitCode: 0, looks: 1 });
  });

  test('a bounce of another recipient is 9, with recipient and reason', async () => {
    const looks = [[delivered(ana)], [delivered(ana), bounced(ben)]];
    expect(await wait('--wait', looks)).toEqual({
      exitCode: 9,
      looks: 2,
      message: `Email em_1 is BOUNCED for ${ben}, not DELIVERED: Permanent; 550 no ${ben}`,
    });
  });

  test('two bounces are both named', async () => {
    const { message } = await wait('--wait', [[bounced(ana), bounced(ben)]]);
    expect(message).toBe(
      `Email em_1 is BOUNCED for ${ana}, not DELIVERED: Permanent; 550 no ${ana}\nBOUNCED for ${ben}: Permanent; 550 no ${ben}`,
    );
  });

  test('when time is up, it names the recipients without it', async () => {
    const looks = [[unnamed('SENT'), delivered(ana)], [delivered(ana)]];
    expect(await wait('--wait', looks)).toEqual({
      exitCode: 10,
      looks: 2,
      message: `The wait timed out: email em_1 is DELIVERED for 1 of 2 recipients, not for ${ben}.`,
    });
  });

  test('a complaint does not fail the wait for the others', async () => {
    const first = [delivered(ana), complained(ana)];
    expect(await wait('--wait', [first, [...first, delivered(ben)]])).toEqual({
      exitCode: 0,
      looks: 2,
    });
    expect((await wait('--wait', [[complained(ana), delivered(ben)]])).exitCode).toBe(9);
  });

  test.each(['REJECTED', 'FAILED', 'SUPPRESSED', 'CANCELLED', 'RENDERING_FAILURE'])(
    '%s ends it for all',
    async (status) => {
      const { exitCode, message } = await wait('--wait', [[delivered(ana), unnamed(status)]]);
      expect(exitCode).toBe(9);
      expect(message).toBe(`Email em_1 is ${status}, not DELIVERED`);
    },
  );

  test('an opening counts as delivered for that recipient only', async () => {
    const looks = [
      [delivered(ana), unnamed('OPENED'), unnamed('OPENED'), unnamed('CLICKED')],
      [delivered(ana), unnamed('OPENED'), delivered(ben)],
    ];
    expect(await wait('--wait', looks)).toEqual({ exitCode: 0, looks: 2 });
  });

  test('to one recipient, an open that names nobody is enough', async () => {
    const looks = [[unnamed('OPENED')]];
    expect(await wait('--wait', looks, { to: ana })).toEqual({ exitCode: 0, looks: 1 });
  });
});

describe('events that name nobody count as one recipient each', () => {
  test('two deliveries are of two recipients', async () => {
    const looks = [[unnamed('DELIVERED')], [unnamed('DELIVERED'), unnamed('DELIVERED')]];
    expect(await wait('--wait', looks)).toEqual({ exitCode: 0, looks: 2 });
  });

  test('a delivery that is named and one that is not, too', async () => {
    const looks = [[delivered(ana), unnamed('DELIVERED')]];
    expect(await wait('--wait', looks)).toEqual({ exitCode: 0, looks: 1 });
  });

  test('a bounce is a bad end', async () => {
    const looks = [[unnamed('DELIVERED'), unnamed('BOUNCED')]];
    expect(await wait('--wait', looks)).toEqual({
      exitCode: 9,
      looks: 1,
      message: 'Email em_1 is BOUNCED, not DELIVERED',
    });
  });

  test('when time is up, recipients are counted, not named', async () => {
    const looks = [[unnamed('DELIVERED')], [unnamed('DELIVERED')]];
    expect((await wait('--wait', looks)).message).toBe(
      'The wait timed out: email em_1 is DELIVERED for 1 of 2 recipients, not for all.',
    );
  });

  test('SENT is for every recipient; a SENT and the DELIVERED after it are of one', async () => {
    const looks = [
      [unnamed('SENT')],
      [unnamed('SENT'), delivered(ana)],
      [unnamed('SENT'), delivered(ana), unnamed('SENT')],
    ];
    const { exitCode, looks: count } = await wait('--wait=SENT', looks.slice(0, 2));
    expect({ exitCode, count }).toEqual({ exitCode: 10, count: 2 });
    expect(await wait('--wait=SENT', looks.slice(1))).toEqual({ exitCode: 0, looks: 2 });
  });
});

describe('one recipient is enough for all other statuses', () => {
  test('OPENED: whoever opens it', async () => {
    const looks = [[delivered(ana), bounced(ben), unnamed('OPENED')]];
    expect(await wait('--wait=OPENED', looks)).toEqual({ exitCode: 0, looks: 1 });
  });

  test('OPENED: a bounce leaves the others, until the last bounce', async () => {
    const looks = [[bounced(ben)], [bounced(ben), bounced(ana)]];
    expect(await wait('--wait=OPENED', looks)).toMatchObject({ exitCode: 9, looks: 2 });
    expect((await wait('--wait=OPENED', [[bounced(ben), complained(ben)], []])).exitCode).toBe(10);
    const both = [unnamed('BOUNCED'), unnamed('BOUNCED')];
    expect(await wait('--wait=OPENED', [both.slice(1), both])).toMatchObject({
      exitCode: 9,
      looks: 2,
    });
  });

  test('OPENED: an event that is final for all recipients is 9 at once', async () => {
    const looks = [[delivered(ana), unnamed('REJECTED')]];
    expect(await wait('--wait=OPENED', looks)).toMatchObject({ exitCode: 9, looks: 1 });
  });

  test('BOUNCED: whoever bounces', async () => {
    const looks = [[delivered(ana), bounced(ben)]];
    expect(await wait('--wait=BOUNCED', looks)).toEqual({ exitCode: 0, looks: 1 });
  });
});

test.each([
  { recipients: 'none' },
  { recipients: [null, 7, '', {}, { emailAddress: 3 }] },
  { bouncedRecipients: null },
  [],
  'text',
  7,
])('event data of another shape (%j) names nobody', async (data) => {
  const event = { status: 'DELIVERED', data };
  expect(await wait('--wait', [[event, event]])).toEqual({ exitCode: 0, looks: 1 });
});

test('a send knows its recipients even if the service does not show copies', async () => {
  const shown = { to: [ana] };
  const { run, service } = await connected(
    { body: { emailId: 'em_1' } },
    email([delivered(ana)], shown),
    email([delivered(ana), bounced(ben)], shown),
  );
  const outcome = await run([
    ...['email', 'send', '--to', ana, '--bcc', 'Ben <BEN@example.org>', '--json', '--wait'],
    ...['--from', 'hello@example.com', '--subject', 'Hi', '--text', 'Hello'],
  ]);
  expect(service.requests).toHaveLength(3);
  expect(outcome.exitCode).toBe(9);
  expect(failureOf(outcome).message).toContain(`BOUNCED for ${ben}`);
});

describe('a live server, whose emails name neither copies nor suppressed addresses', () => {
  const createdAt = '2026-01-15T10:00:00.123Z';
  const send = (...flags: readonly string[]) => [
    ...['email', 'send', '--from', 'hello@example.com', '--subject', 'Hi', '--text', 'Hello'],
    ...['--wait-timeout', '2s', '--json', ...flags],
  ];
  const get = ['email', 'get', 'em_1', '--wait', '--wait-timeout', '2s', '--json'];

  /** The page of the list that has em_1, with these recipients, and its events at each request. */
  interface Live {
    readonly to?: readonly string[];
    readonly copies?: { readonly cc?: readonly string[]; readonly bcc?: readonly string[] };
    readonly looks: readonly (readonly Event[])[];
    readonly page?: number;
    readonly othersCreatedAt?: string;
  }

  async function live({ to = [ana], copies = {}, looks, page = 1, othersCreatedAt }: Live) {
    const left = [...looks];
    const others = Array.from({ length: 50 }, (_, index) =>
      listItem(`other_${index}`, { createdAt: othersCreatedAt ?? createdAt }),
    );
    const listed = listItem('em_1', { to, cc: [], bcc: [], ...copies, createdAt });
    const answer: Answer = (response, request) => {
      const url = new URL(request.path, 'http://service');
      const isList = url.pathname === '/api/v1/emails';
      const isPage = url.searchParams.get('page') === String(page);
      const emailEvents = (isList ? [] : (left.shift() ?? [])).map((event) => ({
        ...{ emailId: 'em_1', createdAt, ...event },
      }));
      const body =
        request.method === 'POST'
          ? { emailId: 'em_1' }
          : isList
            ? { data: isPage ? [...others.slice(1), listed] : others, count: 1000 }
            : { id: 'em_1', teamId: 1, to, from: 'h@example.com', createdAt, emailEvents };
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    };
    return await connected(...Array.from({ length: 40 }, () => answer));
  }

  const dated = (event: Event) => ({ emailId: 'em_1', createdAt, ...event });

  const lists = (requests: readonly string[]) =>
    requests.filter((one) => one.startsWith('GET /api/v1/emails?'));

  test('an address that is left out was suppressed: 9 at once, and it is named', async () => {
    const { run, requests } = await live({ looks: [[]] });
    const outcome = await run(send('--wait', '--to', `${ana},Ben <BEN@example.org>`));
    expect(outcome.exitCode).toBe(9);
    expect(failureOf(outcome).message).toBe(`Email em_1 is SUPPRESSED for ${ben}, not DELIVERED`);
    expect(requests()).toEqual(['POST /api/v1/emails', 'GET /api/v1/emails/em_1']);
  });

  test('so is the only one', async () => {
    const { run } = await live({ to: [], looks: [[]] });
    const outcome = await run(send('--wait', '--to', ana));
    expect(outcome.exitCode).toBe(9);
    expect(failureOf(outcome).message).toBe(`Email em_1 is SUPPRESSED, not DELIVERED: ${ana}`);
  });

  test('for OPENED the others are enough, until the last one fails', async () => {
    const to = `${ana},${ben}`;
    const opened = await live({ looks: [[], [unnamed('OPENED')]] });
    expect((await opened.run(send('--to', to, '--wait=OPENED'))).exitCode).toBe(0);
    const lost = await live({ looks: [[], [bounced(ana)]] });
    expect((await lost.run(send('--to', to, '--wait=OPENED'))).exitCode).toBe(9);
    expect(lost.requests()).toHaveLength(3);
  });

  test('SUPPRESSED can be awaited', async () => {
    const { run } = await live({ looks: [[]] });
    expect((await run(send('--to', `${ana},${ben}`, '--wait=SUPPRESSED'))).exitCode).toBe(0);
  });

  test('copies of the request are waited for, blind ones too', async () => {
    const looks = [[delivered(ana)], [delivered(ana), delivered(ben)]];
    const { run, requests } = await live({ copies: { bcc: [ben] }, looks });
    expect((await run(send('--wait', '--to', ana, '--bcc', ben))).exitCode).toBe(0);
    expect(requests()).toHaveLength(4);
  });

  test.each(['--cc', '--bcc'])(
    'a copy that the list leaves out was suppressed: %s',
    async (flag) => {
      const { run, requests } = await live({ looks: [[delivered(ana)]] });
      const outcome = await run(send('--wait', '--to', ana, flag, ben));
      expect(outcome.exitCode).toBe(9);
      expect(failureOf(outcome).message).toBe(`Email em_1 is SUPPRESSED for ${ben}, not DELIVERED`);
      expect(lists(requests())).toHaveLength(1);
    },
  );

  test('a blind copy that the list leaves out but an event names was sent', async () => {
    const { run } = await live({ looks: [[delivered(ana), delivered(ben)]] });
    expect((await run(send('--wait', '--to', ana, '--bcc', ben))).exitCode).toBe(0);
  });

  test('email get does not wait for a recipient that no response names', async () => {
    const { run } = await live({ page: 9, looks: [[delivered(ana)]] });
    const outcome = await run(send('--wait', '--to', ana, '--bcc', ben));
    expect(outcome.exitCode).toBe(10);
    expect(failureOf(outcome).hint).toBe('Check its status: mailer email get em_1');
  });

  test.each([400, 403, 404])('a list that gets %i does not end the wait', async (status) => {
    const email = { id: 'em_1', to: [ana], createdAt, emailEvents: [delivered(ana, ben)] };
    const shown: Answer = { body: { ...email, emailEvents: email.emailEvents.map(dated) } };
    const refused: Answer = { status, body: { error: { code: 'X', message: 'No list' } } };
    const sent = await connected({ body: { emailId: 'em_1' } }, shown, refused);
    const words = ['--to', ana, '--cc', ben, '--from', 'h@example.com', '--subject', 'S'];
    const outcome = await sent.run(['email', 'send', ...words, '--text', 'T', '--wait']);
    expect(outcome).toMatchObject({ exitCode: 0 });
    expect(lists(sent.requests())).toHaveLength(1);
    const fetched = await connected(shown, refused);
    expect(await fetched.run('email get em_1 --wait')).toMatchObject({ exitCode: 0 });
    expect(lists(fetched.requests())).toHaveLength(1);
  });

  test('email get reads copies from the list once', async () => {
    const cid = 'cid@example.org';
    const all = [delivered(ana), delivered(ben), delivered(cid)];
    const looks = [all.slice(0, 1), all.slice(0, 2), all];
    const { run, requests } = await live({ copies: { cc: [ben], bcc: [cid] }, looks });
    expect((await run(get)).exitCode).toBe(0);
    expect(requests()).toHaveLength(4);
    expect(lists(requests())).toEqual([
      'GET /api/v1/emails?page=1&limit=50&endDate=2026-01-15T10%3A00%3A00.124Z',
    ]);
  });

  test('an email that was created together with many others is found', async () => {
    const { run, requests } = await live({
      ...{ copies: { bcc: [ben] }, looks: [[delivered(ana)], [delivered(ana), bounced(ben)]] },
      page: 3,
    });
    const outcome = await run(get);
    expect(outcome.exitCode).toBe(9);
    expect(failureOf(outcome).message).toContain(`BOUNCED for ${ben}`);
    expect(lists(requests())).toHaveLength(3);
  });

  test('a missing one is not searched for among older ones', async () => {
    const { run, requests } = await live({
      ...{ page: 9, othersCreatedAt: '2026-01-15T09:59:00Z', looks: [[delivered(ana)]] },
    });
    expect((await run(get)).exitCode).toBe(0);
    expect(lists(requests())).toHaveLength(1);
  });
});

describe('with the sandbox', () => {
  const send = (to: string, ...flags: readonly string[]) => [
    ...['email', 'send', '--sandbox', '--to', to, '--from', 'hello@example.com'],
    ...['--subject', 'Hi', '--text', 'Hello', ...flags],
  ];

  test('all are waited for, even the slowest', async () => {
    const words = send('ana@example.org,delayed@example.org', '--cc', ben, '--wait', '--json');
    const { exitCode, stdout } = await createWorld().run(words);
    expect(exitCode).toBe(0);
    const { emailEvents } = JSON.parse(stdout);
    const times = emailEvents.filter(({ status }: Event) => status === 'DELIVERED');
    expect(times).toHaveLength(3);
  });

  test('a copy that bounces is 9', async () => {
    const words = send(ana, '--cc', 'bounced@example.org', '--wait', '--json');
    const outcome = await createWorld().run(words);
    expect(outcome.exitCode).toBe(9);
    expect(failureOf(outcome).message).toMatch(
      /BOUNCED for bounced@example\.org, not DELIVERED: Permanent\/General; smtp; 550 5\.1\.1 /,
    );
  });

  test('a suppressed address is left out by the service: 9 at once, and it is named', async () => {
    const words = send(`${ana},suppressed@example.org`, '--wait', '--json');
    const outcome = await createWorld().run(words);
    expect(outcome.exitCode).toBe(9);
    expect(failureOf(outcome).message).toContain('suppressed@example.org');
  });

  test('the history names the recipient of each event', async () => {
    const world = createWorld();
    const sent = await world.run(send('complained@example.org,delayed@example.org', '-q'));
    world.clock.advance(10_000);
    const { stdout } = await world.run(`email get ${sent.stdout.trim()} --sandbox`);
    expect(stdout).toMatch(/\tDELIVERED\tcomplained@example\.org\t250 /);
    expect(stdout).toMatch(/\tCOMPLAINED\tcomplained@example\.org\t/);
    expect(stdout).toMatch(/\tDELIVERY_DELAYED\tdelayed@example\.org\tMailboxFull/);
    expect(stdout).toMatch(/\tDELIVERED\tdelayed@example\.org\t250 /);
  });
});
