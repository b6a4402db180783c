import { describe, expect, test } from 'vitest';
import { TerminatedError } from '../../../src/lib/base/errors.ts';
import { atTerminal } from '../../support/at-terminal.ts';
import type { Handler } from '../../support/batch-service.ts';
import { connected } from '../../support/connected.ts';
import { held, long } from '../../support/held.ts';
import { ctrlC } from '../../support/keys.ts';
import { page, summary } from './draft.ts';

const id = 'cm3k9x2f8000008l4';
const watch = `campaign watch ${id} --interval 1s --retries 0`;

interface State {
  readonly status?: number;
  readonly body: unknown;
}

const state = (fields: Readonly<Record<string, unknown>>): State => ({
  body: summary(id, { total: 10_000, ...fields }),
});
const fails = (message: string): State => ({
  status: 500,
  body: { error: { code: 'INTERNAL_SERVER_ERROR', message } },
});
const running = { status: 'RUNNING', sent: 6120, delivered: 5942 };

/** A service with one campaign. Each state after the first is only shown when the test says so: a request takes until then. */
async function campaign(...states: readonly State[]) {
  let shown = 0;
  const respond: Handler = (response, { path }) => {
    const { status = 200, body } = states[shown] ?? {};
    const isList = path.includes('?') && status === 200;
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(isList ? page(body).body : body));
  };
  const later: Handler = (response, request) => {
    // If the campaign cannot be shown, the list is asked.
    if (request.path.includes('?')) return respond(response, request);
    const { answer, comes } = held(respond);
    next = comes;
    return answer(response, request);
  };
  let next = () => {};
  const setup = await connected(respond, ...Array<Handler>(states.length + 1).fill(later));
  const comes = () => {
    shown++;
    next();
  };
  return { ...setup, comes };
}

test.each([
  [
    80,
    [
      expect.stringMatching(/^. Spring news {2}RUNNING {2}0:0\d$/),
      '  Sent          ██████████████████░░░░░░░░░░░░   61.2%  6,120 of 10,000',
      '  Delivered     █████████████████████████████░   97.0%  5,942',
      '  Unsubscribed  ░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░    0.0%      0',
    ],
  ],
  [
    40,
    [
      expect.stringMatching(/^. Spring news {2}RUNNING {2}0:0\d$/),
      '  Sent          ████░░░   61.2%  6,120',
      '  Delivered     ██████░   97.0%  5,942',
      '  Unsubscribed  ░░░░░░░    0.0%      0',
    ],
  ],
])(
  'on a terminal of %d columns: bars that are drawn in place, and removed',
  async (columns, expected) => {
    const { run, comes } = await campaign(
      state(running),
      state({ ...running, sent: 7000 }),
      state({ ...running, status: 'SENT', sent: 10_000 }),
    );
    const { exitCode, rows, text } = await atTerminal(
      run,
      watch,
      [
        [
          '6,120',
          (_, screen) => {
            expect(screen).toEqual({ rows: expected, cursorVisible: false });
            comes();
          },
        ],
        [/\d\/s[\s\S]*7,000/, comes],
      ],
      { columns },
    );
    expect(exitCode).toBe(0);
    expect(rows[0]).toBe(`Id            ${id}`);
    expect(text).toMatch(/^Sent {10}10000$/m);
    expect(text).not.toContain('█');
  },
);

describe('on a terminal', () => {
  test.each([40, 80])('of %d columns: Ctrl-C removes them', async (columns) => {
    const { run } = await campaign(state(running));
    const seen = await atTerminal(run, watch, [['6,120', ctrlC]], { columns });
    expect(seen).toMatchObject({ exitCode: 130, rows: [] });
  });

  test('SIGTERM removes them, and prints how to continue', async () => {
    const { run } = await campaign(state(running));
    const ends = new AbortController();
    const terminate = () => ends.abort(new TerminatedError('Terminated.'));
    const { signal } = ends;
    const { exitCode, rows } = await atTerminal(run, watch, [['6,120', terminate]], { signal });
    expect(exitCode).toBe(143);
    expect(rows[0]).toBe('Error: Terminated.');
    expect(rows.join('')).toContain(`To keep watching: mailer campaign watch ${id}`);
  });

  test('the reason for waiting, below the bars, until a response', async () => {
    const { run, comes } = await campaign(
      state(running),
      fails('We are\x1b[2J very sorry for that'),
      state({ ...running, sent: 7000 }),
    );
    await atTerminal(
      run,
      watch,
      [
        ['6,120', comes],
        [
          /\n {2}The service responded with 500: We\n {2}are\\x1b\[2J very sorry for that\.\n {2}Still waiting\.$/,
          comes,
        ],
        [
          '7,000',
          (text) => {
            expect(text).not.toContain('sorry');
            return ctrlC;
          },
        ],
      ],
      { columns: 40 },
    );
  });

  test('the bars are on stderr, so that the result can be piped', async () => {
    const { run, comes } = await campaign(state(running), state({ ...running, status: 'SENT' }));
    const { stdout, text } = await atTerminal(run, `${watch} --json`, [['6,120', comes]], {
      redirected: 'stdout',
    });
    expect(JSON.parse(stdout)).toMatchObject({ id, status: 'SENT' });
    expect(text).toBe('');
  });

  test.each([
    ['bars', 'usually', '', {}],
    ['no bars', 'with --quiet', '--quiet', {}],
    ['no bars', 'with stdout redirected', '', { redirected: 'stdout' }],
    ['no bars', 'with --jsonl', '--jsonl', {}],
    ['no bars', 'with stderr redirected', '', { redirected: 'stderr' }],
  ] as const)('%s are shown %s', async (expected, _, flag, options) => {
    const again: Handler = (response) => response.end(JSON.stringify(state(running).body));
    const sent = state({ ...running, status: 'SENT' });
    const { run } = await connected(state(running), long(again), sent);
    const seen = await atTerminal(run, `${watch} ${flag}`, [], options);
    expect(seen.exitCode).toBe(0);
    const isShown = (seen.output + seen.stderr).includes('█');
    expect(isShown ? 'bars' : 'no bars').toBe(expected);
  });
});

test('piped, each line is printed at its change', async () => {
  const { run } = await connected(
    state(running),
    ...Array<State>(100).fill(state({ ...running, sent: 7000 })),
  );
  const { exitCode, stdout } = await run(watch, { until: '\t7000\t' });
  expect(exitCode).toBe(130);
  expect(stdout).toMatch(/\n[^\n]*\t6120\t[^\n]*\n[^\n]*\t7000\t[^\n]*\n$/);
});
