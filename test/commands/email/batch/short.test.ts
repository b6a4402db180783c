import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { everybody } from '../../../support/batch.ts';
import { impatient, keys, line, rowsIn, sentTo } from '../../../support/batch-run.ts';
import {
  type Connected,
  connected,
  connectedWithoutTemplates,
} from '../../../support/connected.ts';
import { faultyService } from '../../../support/faulty.ts';
import { peopleCsv } from '../../../support/people.ts';
import type { Answer } from '../../../support/recorder.ts';
import { createShortService, type SentEmail } from '../../../support/short-service.ts';

type Handler = Extract<Answer, (...all: never[]) => unknown>;

const isTo = (...addresses: readonly string[]) => {
  return ({ to }: SentEmail) => [to].flat().some((one) => addresses.includes(one));
};
const once =
  (which: (email: SentEmail) => boolean) =>
  (email: SentEmail, times: number): boolean =>
    which(email) && times === 0;

/** A file of people, and the service. `instead` replaces its first responses, in order. */
async function setUp(
  service: ReturnType<typeof createShortService>,
  instead: (method: string, place: number, path: string) => Answer | undefined = () => undefined,
) {
  let place = 0;
  const handler: Handler = (response, request) => {
    const other = instead(request.method, ++place, request.path);
    if (other === undefined) return service.answer(response, request);
    if (typeof other === 'function') return other(response, request);
    response.writeHead(other.status ?? 200, {
      'content-type': 'application/json',
      ...other.headers,
    });
    response.end(JSON.stringify(other.body ?? { error: { code: 'X', message: 'not now' } }));
  };
  const setup = await connectedWithoutTemplates(...Array<Answer>(3000).fill(handler));
  setup.file('people.csv', peopleCsv(150));
  return setup;
}

function onlyPosts(setup: Connected): Connected {
  const requests = setup.service.requests.filter(({ method }) => method === 'POST');
  return { ...setup, service: { ...setup.service, requests } };
}

/** The methods of the requests; consecutive ones are counted. */
function sequence(setup: Connected): string {
  const methods = setup
    .requests()
    .map((request) => request.replace(/ .*emails/, '').replace(/[/?](email_|page).*/, ''));
  return methods
    .reduce<[string, number][]>((all, method) => {
      const last = all.at(-1);
      if (last?.[0] === method) last[1]++;
      else all.push([method, 1]);
      return all;
    }, [])
    .map(([method, times]) => `${times} ${method}`)
    .join(', ');
}

describe('an answer with fewer ids than emails', () => {
  test('counts those taken as accepted, and sends only the others, under another key', async () => {
    const service = createShortService({
      leavesOut: once(isTo('p3@example.org', 'p77@example.org', 'p120@example.org')),
    });
    const setup = await setUp(service);
    const { exitCode, stdout, stderr } = await setup.run([
      ...line,
      '--jsonl',
      '--results',
      'r.csv',
    ]);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 0,
      stderr:
        'Warning: The service accepted requests without creating 3 emails in them. Only these are retried:\nrows 3, 77, 120\n',
    });
    expect(service.taken().toSorted()).toEqual(everybody(150).toSorted());
    expect(rowsIn(stdout)).toEqual(
      everybody(150).map((to, index) => ({ row: index + 1, to, emailId: service.idOf(to) })),
    );
    expect(readFileSync(join(setup.world.home, 'r.csv'), 'utf8')).toContain(
      `77,p77@example.org,${service.idOf('p77@example.org')},,`,
    );
    expect(sequence(setup)).toBe('1 POST/batch, 2 GET, 1 POST/batch, 1 GET, 2 POST/batch');
    const sending = keys(setup).filter((key) => key !== undefined);
    expect(new Set(sending).size).toBe(4);
  });

  test('an email left out again is rejected, with its reason, and the run ends: 11', async () => {
    const service = createShortService({ leavesOut: isTo('p3@example.org', 'p120@example.org') });
    const setup = await setUp(service);
    const { exitCode, stdout } = await setup.run([...line, '--json']);
    expect(exitCode).toBe(11);
    const { data, ...summary } = JSON.parse(stdout);
    expect(summary).toMatchObject({ accepted: 148, rejected: 2, unknown: 0 });
    const message = 'The service did not create this email and gave no reason.';
    expect(data[2]).toEqual({ row: 3, to: 'p3@example.org', error: { code: 'rejected', message } });
    const others = everybody(150).filter((_, index) => index !== 2 && index !== 119);
    expect(service.taken().toSorted()).toEqual(others.toSorted());
    const requests = setup.service.requests.length;
    expect(await setup.run(line)).toMatchObject({ exitCode: 11 });
    expect(setup.service.requests).toHaveLength(requests);
  });

  test('is about these emails however many they are, at the end of a run, too: 11', async () => {
    const out = everybody(150).filter((_, index) => index % 10 === 3);
    const service = createShortService({ leavesOut: isTo(...out) });
    const setup = await setUp(service);
    const { exitCode, stdout } = await setup.run([...line, '--json']);
    expect(exitCode).toBe(11);
    expect(JSON.parse(stdout)).toMatchObject({ accepted: 135, rejected: 15 });
    const others = everybody(150).filter((to) => !out.includes(to));
    expect(service.taken().toSorted()).toEqual(others.toSorted());
  });

  test('an email left out again is sent just once more when the run is resumed', async () => {
    const service = createShortService({ leavesOut: isTo('p3@example.org', 'p120@example.org') });
    let posts = 0;
    const setup = await setUp(service, (method) =>
      method === 'POST' && ++posts === 4 ? { status: 503 } : undefined,
    );
    expect(await setup.run(impatient)).toMatchObject({ exitCode: 7 });
    const asked = () => sentTo(onlyPosts(setup)).filter((to) => to === 'p3@example.org').length;
    expect(asked()).toBe(2);
    expect(await setup.run(line)).toMatchObject({ exitCode: 11 });
    expect(asked()).toBe(3);
  });

  test('is read back in a few requests, so that runs that are broken off soon get to an end', async () => {
    const leavesOut = once(isTo('p3@example.org', 'p240@example.org'));
    const service = createShortService({ leavesOut });
    let controller = new AbortController();
    let reads = 0;
    const setup = await setUp(service, (method) => {
      if (method === 'GET' && ++reads === 4) controller.abort(new Error('stop'));
      return undefined;
    });
    setup.file('people.csv', peopleCsv(350));
    for (let runs = 1; ; runs++) {
      expect(runs).toBeLessThan(4);
      if ((await setup.run(line, { signal: controller.signal })).exitCode === 0) break;
      controller = new AbortController();
      reads = 0;
    }
    expect(service.taken().toSorted()).toEqual(everybody(350).toSorted());
  });

  test.for([403, 404, 400] as const)(
    'is read back one by one where the list answers %d',
    async (listFails) => {
      const leavesOut = once(isTo('p3@example.org', 'p120@example.org'));
      const service = createShortService({ leavesOut, listFails });
      const setup = await setUp(service);
      expect(await setup.run(line)).toMatchObject({ exitCode: 0 });
      expect(sequence(setup)).toBe('1 POST/batch, 100 GET, 1 POST/batch, 50 GET, 2 POST/batch');
      expect(service.taken().toSorted()).toEqual(everybody(150).toSorted());
    },
  );

  test('is read back one by one if the list has too many newer emails', async () => {
    const service = createShortService({ leavesOut: once(isTo('p3@example.org')) });
    const setup = await setUp(service, (method, place) =>
      method === 'GET' && place === 2 ? { status: 503 } : undefined,
    );
    setup.file('people.csv', peopleCsv(100));
    expect(await setup.run(impatient)).toMatchObject({ exitCode: 7 });
    const newer = await setUp(service);
    newer.file('newer.csv', ['to', ...everybody(500).map((to) => `new-${to}`)].join('\n'));
    const words = ['--from', 'hello@example.com', '--subject', 'S', '--text', 'T', '--yes'];
    expect(await newer.run(['email', 'batch', 'newer.csv', ...words])).toMatchObject({
      exitCode: 0,
    });
    expect(await setup.run(line)).toMatchObject({ exitCode: 0 });
    expect(sequence(setup)).toBe('1 POST/batch, 109 GET, 1 POST/batch');
    expect(
      service
        .taken()
        .filter((to) => !to.startsWith('new-'))
        .toSorted(),
    ).toEqual(everybody(100).toSorted());
  });

  test('names the template that a row without a subject needs', async () => {
    const leavesOut = ({ templateId }: SentEmail) => templateId === 'tmpl_gone';
    const setup = await setUp(createShortService({ leavesOut }));
    setup.file('rows.json', [
      { to: 'a@example.org', from: 'a@b.example', templateId: 'tmpl_here' },
      { to: 'b@example.org', from: 'a@b.example', templateId: 'tmpl_gone' },
    ]);
    const { exitCode, stdout } = await setup.run('email batch rows.json --yes --jsonl');
    expect(exitCode).toBe(11);
    expect(rowsIn(stdout)[1].error.message).toBe(
      'The service did not create this email and gave no reason. Check that the template "tmpl_gone" exists.',
    );
  });

  test('responses without ids stop the run; once that is fixed, everybody is sent to', async () => {
    let isMended = false;
    const service = createShortService({ leavesOut: () => !isMended });
    const setup = await setUp(service);
    const { exitCode, stderr } = await setup.run(line);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(
      /did not create this email.*rejected all recent emails.*0 of 150 emails/s,
    );
    isMended = true;
    const { stdout } = await setup.run([...line, '--jsonl']);
    expect(service.taken().toSorted()).toEqual(everybody(150).toSorted());
    expect(rowsIn(stdout).map(({ emailId }) => emailId)).toEqual(
      everybody(150).map((to) => service.idOf(to)),
    );
  });

  test('emails that cannot be told apart are unknown, with the ids, and not sent again', async () => {
    const service = createShortService({ leavesOut: once(isTo('twin@example.org')) });
    const setup = await setUp(service);
    const people = ['a', 'twin', 'twin', 'b', 'c'].map((name) => `${name}@example.org,${name}`);
    setup.file('people.csv', ['to,name', ...people].join('\n'));
    const { exitCode, stderr } = await setup.run([...line, '--results', 'r.jsonl']);
    expect(exitCode).toBe(11);
    expect(stderr).toContain(
      'It is unknown which of 2 emails the service created. They are not retried:\nrows 2, 3\n',
    );
    const rows = rowsIn(readFileSync(join(setup.world.home, 'r.jsonl'), 'utf8'));
    expect(rows.map(({ error }) => error?.code)).toEqual([
      ...[undefined, 'unknown', 'unknown', undefined, undefined],
    ]);
    expect(rows[1].error.message).toBe(
      `it may have been sent; it is unknown which of 2 emails the service created: ${service.idOf('twin@example.org')}`,
    );
    expect(service.taken()).toHaveLength(4);
    const requests = setup.service.requests.length;
    expect(await setup.run(line)).toMatchObject({ exitCode: 11 });
    expect(setup.service.requests).toHaveLength(requests);
    expect(await setup.run([...line, '--resend-unknown'])).toMatchObject({ exitCode: 0 });
    expect(service.taken().slice(4)).toEqual(['twin@example.org', 'twin@example.org']);
  });

  test('if ids are in another order, nothing is certain, and nothing is sent again', async () => {
    const service = createShortService({ leavesOut: once(isTo('p3@example.org')) });
    const setup = await setUp(service);
    setup.file('people.csv', peopleCsv(4));
    const reversed: Handler = (response, request) => {
      const end = response.end.bind(response);
      const turned = Object.assign(response, {
        end: (text: string) =>
          end(JSON.stringify({ data: JSON.parse(text).data?.toReversed() ?? [] })),
      });
      service.answer(turned, request);
    };
    const other = await setUp(service, (method) => (method === 'GET' ? undefined : reversed));
    other.file('people.csv', peopleCsv(4));
    const { exitCode, stdout } = await other.run([...line, '--json']);
    expect(exitCode).toBe(11);
    expect(JSON.parse(stdout)).toMatchObject({ accepted: 0, unknown: 4 });
    expect(service.taken()).toHaveLength(3);
  });

  test('an email is found though the service shows none of its recipients, or nothing of it', async () => {
    const service = createShortService({
      leavesOut: once(isTo('p3@example.org')),
      suppressed: ['p1@example.org', 'p4@example.org'],
    });
    const setup = await setUp(service, (method, _, path) =>
      method === 'GET' && path.endsWith(`/${service.idOf('p2@example.org')}`)
        ? { status: 404 }
        : undefined,
    );
    setup.file('people.csv', peopleCsv(5));
    const { exitCode, stdout, stderr } = await setup.run([...line, '--jsonl']);
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 11 });
    // Rows 1 and 2 are known to come before p3 only if a neighbour shows it; rows 4 and 5 come after it.
    expect(rowsIn(stdout)).toMatchObject([
      { row: 1, emailId: service.idOf('p1@example.org') },
      { row: 2, error: { code: 'unknown' } },
      { row: 3, error: { code: 'unknown' } },
      { row: 4, emailId: service.idOf('p4@example.org') },
      { row: 5, emailId: service.idOf('p5@example.org') },
    ]);
    expect(service.taken()).toHaveLength(4);
  });
});

describe('a request of which the service can create nothing, answered 500,', () => {
  const isOfMissing = ({ templateId, subject }: SentEmail) =>
    templateId === 'tmpl_nope' && subject === undefined;
  const service = () => createShortService({ leavesOut: isOfMissing, failsAtNothing: true });
  const words =
    'email batch rows.json --from a@b.example --template tmpl_nope --yes --concurrency 1';
  const row = (to: string, rest = {}) => ({ to: `${to}@example.org`, ...rest });
  const said =
    'The service responded with 500: Failed to create any email records. Check that the template "tmpl_nope" exists.';

  test('is given up if it was left out before: 11, and the others are sent', async () => {
    const short = service();
    const setup = await setUp(short);
    const rows = Array.from({ length: 150 }, (_, index) =>
      row(`p${index + 1}`, index === 2 || index === 76 ? {} : { subject: 'Hi' }),
    );
    setup.file('rows.json', rows);
    const { exitCode, stderr } = await setup.run(`${words} --results r.jsonl --retries 3`);
    expect(exitCode).toBe(11);
    const data = rowsIn(readFileSync(join(setup.world.home, 'r.jsonl'), 'utf8'));
    const error = {
      code: 'unknown',
      message: `it may have been sent, but probably was not. The service accepted a request without creating this email, and failed when it was sent again. ${said}`,
    };
    expect(data[2]).toEqual({ row: 3, to: 'p3@example.org', error });
    expect(data[76]).toMatchObject({ error });
    expect(stderr).toContain(
      'The service responded with 500 to every attempt to send 2 emails, but accepted others. These are not retried:\nrows 3, 77',
    );
    const others = everybody(150).filter((_, index) => index !== 2 && index !== 76);
    expect(short.taken().toSorted()).toEqual(others.toSorted());
    // After all others, the request is sent once more, with retries.
    const last = keys(setup).at(-1);
    expect(keys(setup).filter((key) => key === last)).toHaveLength(8);
    expect(keys(setup).slice(-4)).toEqual(Array(4).fill(last));
    const requests = setup.service.requests.length;
    expect(await setup.run(words)).toMatchObject({ exitCode: 11 });
    expect(setup.service.requests).toHaveLength(requests);
    expect(await setup.run(`${words} --resend-unknown`)).toMatchObject({ exitCode: 11 });
    expect(short.taken()).toHaveLength(148);
  });

  test('is given up if all in it need the template, and the service has accepted others', async () => {
    const short = service();
    const setup = await setUp(short);
    const own = { templateId: 'here' };
    setup.file('rows.json', [row('p1'), row('p2', own), row('p3'), row('p4', own)]);
    const { exitCode, stdout } = await setup.run(`${words} --jsonl`);
    expect(exitCode).toBe(11);
    expect(rowsIn(stdout)).toMatchObject([
      {
        row: 1,
        error: {
          code: 'unknown',
          message: `it may have been sent, but probably was not. ${said}`,
        },
      },
      { row: 2, emailId: short.idOf('p2@example.org') },
      { row: 3, error: { code: 'unknown' } },
      { row: 4, emailId: short.idOf('p4@example.org') },
    ]);
    expect(short.taken()).toEqual(['p2@example.org', 'p4@example.org']);
  });

  test('and no other request either: 7, it names the template, and the same line resumes', async () => {
    let isMended = false;
    const leavesOut = () => !isMended;
    const short = createShortService({ leavesOut, failsAtNothing: true });
    const setup = await setUp(short);
    setup.file('rows.json', [row('p1'), row('p2')]);
    const broken = await setup.run(words);
    expect(broken.exitCode).toBe(7);
    expect(broken.stderr).toContain(`Error: ${said}\nHint: 0 of 2 emails are accepted so far`);
    isMended = true;
    expect(await setup.run(words)).toMatchObject({ exitCode: 0 });
    expect(short.taken()).toEqual(['p1@example.org', 'p2@example.org']);
    expect(new Set(keys(setup)).size).toBe(1);
  });

  test('is no reason to give up what was accepted of the same template: 7, after all others', async () => {
    let isDown = true;
    const second = everybody(200).slice(100);
    const short = createShortService({
      leavesOut: (email) => isDown && isTo(...second)(email),
      failsAtNothing: true,
    });
    const setup = await setUp(short);
    const rows = Array.from({ length: 300 }, (_, index) => row(`p${index + 1}`));
    setup.file('rows.json', rows);
    const broken = await setup.run(`${words} --retries 3`);
    expect(broken).toMatchObject({
      exitCode: 7,
      stderr: expect.stringContaining(
        '200 of 300 emails are accepted so far, 100 have no response',
      ),
    });
    expect(setup.service.requests).toHaveLength(10);
    isDown = false;
    expect(await setup.run(words)).toMatchObject({ exitCode: 0 });
    expect(short.taken().toSorted()).toEqual(everybody(300).toSorted());
    expect(new Set(keys(setup)).size).toBe(3);
  });

  test.for([
    ['a page of a proxy', 500, '<html>Internal Server Error</html>'],
    ['another status', 503, { error: { code: 'UNAVAILABLE', message: 'Not now' } }],
  ] as const)('and not with %s, which ends the run with 7', async ([, status, body]) => {
    const short = service();
    let posts = 0;
    const setup = await setUp(short, (method) => {
      if (method === 'GET' || ++posts === 1) return undefined;
      return (response) => {
        const isPage = typeof body === 'string';
        response.writeHead(status, { 'content-type': isPage ? 'text/html' : 'application/json' });
        response.end(isPage ? body : JSON.stringify(body));
      };
    });
    setup.file('rows.json', [row('p1', { subject: 'Hi' }), row('p2')]);
    expect(await setup.run(words)).toMatchObject({ exitCode: 7 });
    expect(await setup.run(words)).toMatchObject({ exitCode: 7 });
    expect(short.taken()).toEqual(['p1@example.org']);
  });

  test('delays no other request, however many there are of it', async () => {
    const gone = createShortService({
      leavesOut: ({ templateId = '' }) => templateId.startsWith('gone'),
      failsAtNothing: true,
    });
    const setup = await setUp(gone);
    const bad = Array.from({ length: 9 }, (_, index) =>
      row(`bad${index}`, { templateId: `gone${index}` }),
    );
    setup.file('rows.json', [...bad, row('good', { subject: 'Hi' })]);
    const { exitCode, stdout } = await setup.run(`${words} --retries 0 --json`);
    expect(exitCode).toBe(11);
    expect(JSON.parse(stdout)).toMatchObject({ accepted: 1, unknown: 9 });
    expect(gone.taken()).toEqual(['good@example.org']);
  });
});

describe('when the emails taken cannot be read back', () => {
  const short = () => createShortService({ leavesOut: once(isTo('p3@example.org')) });
  const posts = (setup: Connected) =>
    setup.requests().filter((request) => request.startsWith('POST')).length;

  test.for<[string, Answer, number]>([
    ['the service is not there', { status: 503 }, 7],
    ['the rate limit is reached', { status: 429 }, 6],
    ['the key may not', { status: 403 }, 3],
    ['a proxy has a page of its own', { status: 404, body: '<html></html>' }, 4],
  ])(
    'as %s, the others are sent, and the same line resumes from the ids',
    async ([, answer, code]) => {
      const service = short();
      let isMended = false;
      const setup = await setUp(service, (method) => {
        if (method !== 'GET' || isMended) return undefined;
        return typeof answer === 'object' && typeof answer.body === 'string'
          ? (response) => response.writeHead(404, { 'content-type': 'text/html' }).end(answer.body)
          : answer;
      });
      const broken = await setup.run(impatient);
      expect(broken.exitCode).toBe(code);
      expect(broken.stderr).toMatch(
        /^Error: Cannot read which emails of a request the service created: .*50 of 150 emails are accepted so far/s,
      );
      expect(posts(setup)).toBe(2);
      isMended = true;
      // By then the service has forgotten the request, but reading does not need it.
      setup.world.clock.advance(48 * 3_600_000);
      expect(await setup.run(line)).toMatchObject({ exitCode: 0 });
      expect(posts(setup)).toBe(3);
      expect(service.taken().toSorted()).toEqual(everybody(150).toSorted());
      expect(sentTo(onlyPosts(setup)).slice(150)).toEqual(['p3@example.org']);
    },
  );

  test('as Ctrl-C comes in between, the same line resumes', async () => {
    const service = short();
    const controller = new AbortController();
    const setup = await setUp(service, (_, place) => {
      if (place === 3) controller.abort(new Error('stop'));
      return undefined;
    });
    const stopped = await setup.run(line, { signal: controller.signal });
    expect(stopped.exitCode).not.toBe(0);
    const status = await setup.run('run list --json');
    expect(JSON.parse(status.stdout)).toMatchObject([
      { state: 'incomplete', accepted: 0, left: 150, unanswered: 100 },
    ]);
    expect(await setup.run(line)).toMatchObject({ exitCode: 0 });
    expect(service.taken().toSorted()).toEqual(everybody(150).toSorted());
  });
});

describe('an answer with more ids than emails, or with one of them twice,', () => {
  test.for([
    ['more', (ids: string[]) => [...ids, 'email_more']],
    ['twice', (ids: string[]) => ids.map(() => 'email_same')],
  ] as const)(
    '%s: 8, and nothing is sent under another key; on a repetition the others go out',
    async ([, change]) => {
      const service = createShortService({ leavesOut: () => false });
      let isFirst = true;
      let firstKey: unknown;
      const setup = await connected(
        ...Array<Answer>(20).fill((response, request) => {
          if (isFirst) firstKey = request.headers['idempotency-key'];
          isFirst = false;
          if (request.headers['idempotency-key'] !== firstKey)
            return service.answer(response, request);
          const ids = change(everybody(100).map((_, index) => `email_${index}`));
          response.writeHead(200, { 'content-type': 'application/json' });
          response.end(JSON.stringify({ data: ids.map((emailId) => ({ emailId })) }));
        }),
      );
      setup.file('people.csv', peopleCsv(150));
      expect(await setup.run(line)).toMatchObject({ exitCode: 8 });
      expect(setup.service.requests).toHaveLength(1);
      const { exitCode, stderr } = await setup.run(line);
      expect({ exitCode, stderr }).toMatchObject({
        exitCode: 8,
        stderr: expect.stringContaining(
          '50 of 150 emails are accepted so far, 100 have no response',
        ),
      });
      expect(service.taken()).toEqual(everybody(150).slice(100));
      setup.world.clock.advance(24 * 3_600_000);
      expect(await setup.run(line)).toMatchObject({ exitCode: 11 });
      expect(setup.service.requests).toHaveLength(3);
    },
  );
});

describe('the embedded service with the fault', () => {
  test.for([
    ['short x1', 0],
    ['short 3', 11],
    ['short', 11],
  ] as const)('%s: everybody gets one email, or is named', async ([effect, code]) => {
    const { world, recipients } = await faultyService([`POST /v1/emails/batch ${effect}`]);
    writeFileSync(join(world.home, 'people.csv'), peopleCsv(150));
    const { exitCode, stdout } = await world.run([...line, '--jsonl']);
    expect(exitCode).toBe(code);
    const rows = rowsIn(stdout);
    expect(rows.map(({ to }) => to)).toEqual(everybody(150));
    const accepted = rows.filter(({ emailId }) => emailId !== undefined).map(({ to }) => to);
    expect(recipients().toSorted()).toEqual(accepted.toSorted());
    const rejected = rows.filter(({ error }) => error?.code === 'rejected');
    expect(accepted.length + rejected.length).toBe(150);
  });
});

test('the sandbox and a template that does not exist: emails without a subject are named, 11', async () => {
  const { world, recipients } = await faultyService([]);
  const rows = Array.from({ length: 230 }, (_, index) => ({
    to: `p${index + 1}@example.org`,
    // Nobody in the second hundred has a subject.
    ...(index % 2 === 0 && (index < 100 || index >= 200) ? { subject: 'Hi' } : {}),
  }));
  writeFileSync(join(world.home, 'rows.json'), JSON.stringify(rows));
  const words = [
    '--from',
    'hello@example.com',
    '--template',
    'tmpl_nope',
    '--text',
    'Hello',
    '--yes',
  ];
  const { exitCode, stdout } = await world.run([
    'email',
    'batch',
    'rows.json',
    ...words,
    '--jsonl',
  ]);
  expect(exitCode).toBe(11);
  const sent = rows.filter(({ subject }) => subject !== undefined).map(({ to }) => to);
  expect(recipients().toSorted()).toEqual(sent.toSorted());
  const results = rowsIn(stdout);
  expect(results.map(({ to }) => to)).toEqual(rows.map(({ to }) => to));
  const others = results.filter(({ emailId }) => emailId === undefined);
  expect(others).toHaveLength(rows.length - sent.length);
  for (const { error } of others) {
    expect(error).toMatchObject({
      code: 'unknown',
      message: expect.stringContaining('"tmpl_nope"'),
    });
  }
});
