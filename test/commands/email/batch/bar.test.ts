import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { atTerminal } from '../../../support/at-terminal.ts';
import { batchLine } from '../../../support/batch.ts';
import { accept, type Handler, refuseNamed } from '../../../support/batch-service.ts';
import { connected } from '../../../support/connected.ts';
import { held, long } from '../../../support/held.ts';
import { ctrlC } from '../../../support/keys.ts';
import { bounce } from '../../../support/mailbox-service.ts';
import { peopleCsv } from '../../../support/people.ts';
import type { Answer } from '../../../support/recorder.ts';

const words = [...batchLine, '--concurrency', '1', '--retries', '1', '--results', 'results.jsonl'];

/** A thousand rows, and a service with these responses, which then accepts everything. */
async function setUp(...answers: readonly Answer[]) {
  const setup = await connected(...answers, ...Array<Answer>(10).fill(accept));
  setup.file('people.csv', peopleCsv(1000));
  return setup;
}

const three = [accept, accept, accept];
const never: Handler = () => {};

describe('on a terminal', () => {
  test.each([
    [
      80,
      [
        expect.stringMatching(/^. Sending {2}█{9}░{21} {3}30\.0% {4}300 of 1,000$/),
        '  100/s  about 7 s left',
      ],
    ],
    [
      40,
      [
        expect.stringMatching(/^. Sending {2}█{5}░{14} {3}30\.0%$/),
        '  300 of 1,000  100/s  about 7 s left',
      ],
    ],
  ])('of %d columns: a bar that is drawn in place, and removed', async (columns, expected) => {
    const afterSecond: Handler = (...call) => {
      world.clock.advance(1000);
      accept(...call);
    };
    const { answer, comes } = held(accept);
    const { run, world } = await setUp(afterSecond, afterSecond, afterSecond, answer);
    const { exitCode, text } = await atTerminal(
      run,
      words,
      [
        [
          /300 of 1,000[\s\S]* left$/,
          (_, screen) => {
            expect(screen).toEqual({ rows: expected, cursorVisible: false });
            comes();
          },
        ],
      ],
      { columns, redirected: 'stdout' },
    );
    expect({ exitCode, text }).toEqual({ exitCode: 0, text: 'Accepted 1,000 of 1,000 emails.' });
  });

  test.each([40, 80])('of %d columns: Ctrl-C removes it', async (columns) => {
    const { run } = await setUp(...three, never);
    const { exitCode, text } = await atTerminal(run, words, [['300 of 1,000', ctrlC]], { columns });
    expect(exitCode).toBe(130);
    expect(text).toMatch(/^Error: Interrupted\.\nHint: 300 of 1,000 emails/);
    expect(text).not.toMatch(/[█░]|Sending/);
  });

  test('an error removes it', async () => {
    const { answer, comes } = held((response) => response.writeHead(401).end('no'));
    const { run } = await setUp(...three, answer);
    const { exitCode, text } = await atTerminal(run, words, [['300 of 1,000', comes]]);
    expect(exitCode).toBe(3);
    expect(text).toMatch(/^Error: /);
    expect(text).not.toMatch(/[█░]|Sending/);
  });

  test('the reason to wait is below it, with the time, until there is a response', async () => {
    const refusal: Answer = {
      status: 429,
      headers: { 'Retry-After': '2' },
      body: { error: { code: 'RATE_LIMITED', message: 'Slow\x1b[2J down' } },
    };
    const { run, world } = await setUp(...three, refusal, accept, never);
    const { promise, resolve } = Promise.withResolvers<void>();
    world.clock.pausing = () => promise;
    await atTerminal(run, words, [
      [
        /300 of 1,000\n(.*\n)? {2}Slow\\x1b\[2J down\. It asked to wait for 2 s, until .*\s+Retrying in 3 s$/,
        () => world.clock.advance(1000),
      ],
      [/Slow.*\s+Retrying in 2 s$/, () => resolve()],
      [
        '400 of 1,000',
        (text) => {
          expect(text).not.toContain('Slow');
          return ctrlC;
        },
      ],
    ]);
  });

  test('a long wait for the rate limit is shown', async () => {
    const spent: Handler = (response, request) => {
      const { now } = world.clock;
      response.setHeader('Date', new Date(now).toUTCString());
      response.setHeader('X-RateLimit-Remaining', '0');
      response.setHeader('X-RateLimit-Reset', String(Math.ceil(now / 1000) + 50));
      accept(response, request);
    };
    const { run, world } = await setUp(accept, spent);
    world.clock.pausing = () => new Promise(() => {});
    const { exitCode } = await atTerminal(run, words, [
      [
        / 200 of 1,000\n(.*\n)? {2}The service asked to wait for \d\d s, until .*\s+Retrying in\s+\d\d s$/,
        ctrlC,
      ],
    ]);
    expect(exitCode).toBe(130);
  });

  test('rejected emails are counted; a resumed run starts where it stopped', async () => {
    const refusing = refuseNamed('p7@example.org', 'p8@example.org');
    const { run } = await setUp(refusing, ...three, never, never);
    await atTerminal(run, words, [[/30\.0% {4}300 of 1,000\n {2}2 rejected$/, ctrlC]]);
    // It has sent nothing itself yet, and has no rate. Rejected emails are sent once more.
    const resumed = await atTerminal(run, words, [
      [/^. Sending {2}█{8}░{22} {3}29\.8% {4}298 of 1,000$/, ctrlC],
    ]);
    expect(resumed.exitCode).toBe(130);
  });

  test('how much has been checked of a file, whose size is known', async () => {
    const { run, file } = await connected();
    // It is read in so many pieces that this is seen before its end.
    file('people.csv', peopleCsv(3000) + 'ana@example.org,Ana\n'.repeat(500_000));
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    let isSeen = false;
    const ended = atTerminal(run, words, [
      [
        /^. Checking the rows {2}[█░]{30} +\d+\.\d% {2}[\d,]+$/,
        () => {
          isSeen = true;
          return ctrlC;
        },
      ],
    ]);
    for (let turn = 0; !isSeen; turn++) {
      // In the turns between, the person looks.
      if (turn % 5 === 0) vi.advanceTimersByTime(250);
      await Promise.race([setImmediate(), ended]);
    }
    const { exitCode, text } = await ended;
    expect(exitCode).toBe(130);
    expect(text).not.toContain('Checking');
  });

  test('how much has been checked of a pipe', async () => {
    const { run } = await connected();
    async function* endless() {
      yield peopleCsv(3000);
      await new Promise(() => {});
    }
    const { exitCode, text } = await atTerminal(
      run,
      words.map((word) => (word === 'people.csv' ? '-' : word)),
      [[/^. Checking the rows {2}[\d,]+$/, ctrlC]],
      { redirected: 'stdin', stdin: Readable.from(endless()) },
    );
    expect(exitCode).toBe(130);
    expect(text).not.toContain('Checking');
  });

  test.each([
    ['a bar', 'usually', [], {}],
    ['no bar', 'with --quiet', ['--quiet'], {}],
    ['no bar', 'with stderr redirected', [], { redirected: 'stderr' }],
    ['no bar', 'with --debug', ['--debug'], {}],
    ['no bar', 'on a dumb terminal', [], { env: { TERM: 'dumb' } }],
    ['no bar', 'in CI', [], { env: { CI: '1' } }],
  ] as const)('in a long run, %s %s', async (expected, _, flags, options) => {
    const { run, file } = await connected(long(accept));
    file('people.csv', peopleCsv(100));
    const seen = await atTerminal(run, [...words, ...flags], [], options);
    expect(seen.exitCode).toBe(0);
    const isShown = /[█░]|Sending/.test(seen.output + seen.stderr);
    expect(isShown ? 'a bar' : 'no bar').toBe(expected);
  });

  test('NO_COLOR removes the colours only', async () => {
    const { run } = await setUp(...three, never);
    const { output } = await atTerminal(
      run,
      words,
      [
        [
          '300 of 1,000',
          (text) => {
            expect(text).toContain('█████████░░░');
            return ctrlC;
          },
        ],
      ],
      { env: { NO_COLOR: '1' } },
    );
    // biome-ignore lint/suspicious/noControlCharactersInRegex: terminals are driven with these.
    expect(output).not.toMatch(/\x1b\[\d+m/);
  });
});

test('with --wait, a summary that changes in place, then groups of failures', async () => {
  const people = ['ana@example.org', 'gone@example.org', 'late@example.org'];
  const delivered = { status: 'DELIVERED', createdAt: '2026-01-15T10:00:01.000Z' };
  const gone = bounce('Permanent', '550 5.1.1 <gone@example.org> unknown', 'gone@example.org');
  const events = [[delivered], [gone], []];
  const service: Handler = (response, { method, path }) => {
    const number = Number(path.split('_')[1]);
    const body =
      method === 'POST'
        ? { data: people.map((_, index) => ({ emailId: `em_${index}` })) }
        : { id: `em_${number}`, to: [people[number]], emailEvents: events[number] };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
  const { run, requests, file, world } = await connected(...Array<Handler>(100).fill(service));
  file('people.csv', ['to', ...people].join('\n'));
  const { promise, resolve } = Promise.withResolvers<void>();
  world.clock.pausing = async () => {
    if (requests().some((request) => request.endsWith('em_2'))) await promise;
  };
  const { exitCode, text, rows } = await atTerminal(
    run,
    'email batch people.csv --from hello@example.com --subject Hi --text Hello --yes --wait',
    [
      [
        '1 of 3 delivered, 1 failed…',
        () => {
          events[2] = [delivered];
          resolve();
        },
      ],
    ],
    { columns: 100 },
  );
  expect(exitCode).toBe(9);
  expect(text).not.toContain('failed…');
  expect(rows).toContainEqual(expect.stringMatching(/^Delivered +2$/));
  expect(rows).toContainEqual(
    expect.stringMatching(/^1 +BOUNCED +.*550 5\.1\.1 … unknown +gone@example\.org$/),
  );
});
