import { describe, expect, test } from 'vitest';
import { atTerminal } from '../../../support/at-terminal.ts';
import type { Handler } from '../../../support/batch-service.ts';
import { connected } from '../../../support/connected.ts';
import { held, long } from '../../../support/held.ts';
import { ctrlC } from '../../../support/keys.ts';
import type { Answer } from '../../../support/recorder.ts';

const createdAt = '2026-01-10T10:00:00.000Z';
const event = { emailId: 'email_1', status: 'DELIVERED', createdAt, data: null };
const email = {
  id: 'email_1',
  teamId: 1,
  to: ['a@example.org'],
  from: 'b@example.com',
  subject: 'Hi',
  html: null,
  text: 'Hello',
  createdAt,
  updatedAt: createdAt,
  emailEvents: [],
};

function responseWith(body: unknown): Handler {
  return (response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
}

/** A service whose last response comes when the test says so. */
async function slow(body: unknown, ...before: readonly Answer[]) {
  const { answer, comes } = held(responseWith(body));
  return { ...(await connected(...before, answer)), comes };
}

describe('during a slow request', () => {
  test('a spinner is shown on the terminal, and removed', async () => {
    const { run, comes } = await slow([]);
    const { exitCode, text } = await atTerminal(run, 'domain list --json', [
      [
        /^. Waiting for the service$/,
        (_, { cursorVisible }) => {
          expect(cursorVisible).toBe(false);
          comes();
        },
      ],
    ]);
    expect({ exitCode, text }).toEqual({ exitCode: 0, text: '[]' });
  });

  test('it is on stderr, so that the result can be piped', async () => {
    const { run, comes } = await slow([]);
    const { stdout, text } = await atTerminal(
      run,
      'domain list --json',
      [['Waiting for the service', comes]],
      { redirected: 'stdout' },
    );
    expect({ stdout, text }).toEqual({ stdout: '[]\n', text: '' });
  });

  test('it shows the reason for a pause, escaped', async () => {
    const message = 'Slow\x1b[31m down\x1b]0;owned\x07';
    const refusal: Answer = {
      status: 429,
      headers: { 'Retry-After': '2' },
      body: { error: { code: 'RATE_LIMITED', message } },
    };
    const { run, world, comes } = await slow([], refusal);
    const { promise, resolve } = Promise.withResolvers<void>();
    world.clock.pausing = () => promise;
    const { exitCode, text } = await atTerminal(run, 'domain list --json', [
      [
        /^. Slow\\x1b\[31m down\\x1b\]0;owned\\x07\. It asked to wait for 2 s, until [^ ]+\. Retrying in 3 s$/,
        () => {
          resolve();
          comes();
        },
      ],
    ]);
    expect({ exitCode, text }).toEqual({ exitCode: 0, text: '[]' });
  });

  test.each([
    ['a spinner', 'usually', 'domain list --json', {}],
    ['no spinner', 'with stderr redirected', 'domain list --json', { redirected: 'stderr' }],
    ['no spinner', 'with --quiet', 'domain list --quiet', {}],
    ['no spinner', 'on a dumb terminal', 'domain list --json', { env: { TERM: 'dumb' } }],
    ['no spinner', 'in CI', 'domain list --json', { env: { CI: '1' } }],
  ] as const)('%s is shown %s', async (expected, _, words, options) => {
    const { run } = await connected(long(responseWith([])));
    const { exitCode, output, stderr } = await atTerminal(run, words, [], options);
    expect(exitCode).toBe(0);
    const isShown = !/^(\[\]\r\n)?$/.test(output + stderr);
    expect(isShown ? 'a spinner' : 'no spinner').toBe(expected);
  });

  test('waiting for an email is one spinner, though it takes many requests', async () => {
    const list = { body: { data: [], count: 0 } };
    const shown = { body: email };
    const { run, comes, requests } = await slow(
      { ...email, emailEvents: [event] },
      shown,
      list,
      shown,
    );
    const { exitCode, text } = await atTerminal(run, 'email get email_1 --wait --fields id', [
      [/^. Waiting for DELIVERED; now without a status$/, comes],
    ]);
    expect({ exitCode, text }).toEqual({ exitCode: 0, text: 'id      email_1' });
    expect(requests()).toHaveLength(4);
  });
});

test('waiting for a batch counts in one spinner, and names the failed ones at the end', async () => {
  const rows = ['a@example.org', 'c@example.org'].map((to) => ({
    ...{ from: 'b@example.com', subject: 'Hi', text: 'Hello' },
    to,
  }));
  const accepted = { body: { data: [{ emailId: 'email_1' }, { emailId: 'email_2' }] } };
  const delivered = { ...email, emailEvents: [event] };
  const bounced = {
    ...{ ...delivered, id: 'email_2', to: ['c@example.org'] },
    emailEvents: [{ ...event, status: 'BOUNCED' }],
  };
  const { run, comes } = await slow(bounced, accepted, { body: delivered });
  const { exitCode, rows: shown } = await atTerminal(
    run,
    'email batch - --yes --wait --fields id',
    [[/^. 1 of 2 delivered…$/, comes]],
    { redirected: 'stdin', stdin: JSON.stringify(rows) },
  );
  expect(exitCode).toBe(9);
  expect(shown).toEqual([
    ...['ID', 'email_1', 'email_2'],
    'Error: DELIVERED: 1 of 2 emails. Failed: email_2.',
  ]);
});

test('Ctrl-C during a slow request removes the spinner and prints how to repeat a send', async () => {
  const { run, service } = await slow({ emailId: 'email_1' });
  const words = 'email send --to a@example.org --from b@example.com --subject Hi --text Hello';
  const { exitCode, rows } = await atTerminal(run, words, [['Waiting for the service', ctrlC]]);
  expect(exitCode).toBe(130);
  expect(rows).toEqual([
    'Error: Interrupted.',
    `Idempotency-Key: ${service.requests[0]?.headers['idempotency-key']}`,
    ...Array(4).fill(expect.any(String)),
  ]);
});
