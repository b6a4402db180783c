import type { ServerResponse } from 'node:http';
import { describe, expect, test, vi } from 'vitest';
import { createPlace } from '../../support/process.ts';
import { type Answer, startRecorder } from '../../support/recorder.ts';
import { ctrlC, openTerminal, type TerminalOptions } from '../../support/terminal.ts';

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

function answerWith(response: ServerResponse | undefined, body: unknown): void {
  response?.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** A command line on a terminal, and a service whose response the test controls. */
async function waiting(line: string, options: TerminalOptions = {}, ...before: readonly Answer[]) {
  let response: ServerResponse | undefined;
  const service = await startRecorder(...before, (open) => {
    response = open;
  });
  const env = { MAILER_BASE_URL: service.baseUrl, MAILER_API_KEY: 'us_key_0123456789' };
  const terminal = openTerminal(createPlace(env), line, options);
  const arrived = () => vi.waitFor(() => expect(response).toBeDefined(), { timeout: 20_000 });
  const answer = async (body: unknown) => {
    await arrived();
    answerWith(response, body);
  };
  return { terminal, answer, arrived, service };
}

describe('during a slow request', () => {
  test('a spinner is shown on the terminal, and removed', async () => {
    const { terminal, answer } = await waiting('mailer domain list --json; echo ok');
    await terminal.shows(/^. Waiting for the service$/);
    expect(terminal.screen().cursorVisible).toBe(false);
    await answer([]);
    expect(await terminal.end()).toBe(0);
    expect(terminal.text()).toBe('[]\nok');
    expect(terminal.screen().cursorVisible).toBe(true);
  });

  test('it is on stderr, so that the result can be piped', async () => {
    const { terminal, answer } = await waiting('mailer domain list --json > out; cat -A out');
    await terminal.shows('Waiting for the service');
    await answer([]);
    expect(await terminal.end()).toBe(0);
    expect(terminal.text()).toBe('[]$');
  });

  test('it shows the reason for a pause, escaped', async () => {
    const message = 'Slow\x1b[31m down\x1b]0;owned\x07';
    const refusal: Answer = {
      status: 429,
      headers: { 'Retry-After': '2' },
      body: { error: { code: 'RATE_LIMITED', message } },
    };
    const { terminal, answer } = await waiting('mailer domain list --json', {}, refusal);
    await terminal.shows(
      /^. Slow\\x1b\[31m down\\x1b\]0;owned\\x07\. It asked to wait for 2 s, until [^ ]+\. Retrying in [23] s$/,
    );
    await answer([]);
    expect(await terminal.end()).toBe(0);
    expect(terminal.text()).toBe('[]');
  });

  test.each([
    ['with stderr redirected', 'mailer domain list --json 2> err; cat -A err', {}],
    ['with --quiet', 'mailer domain list --quiet', {}],
    ['on a dumb terminal', 'mailer domain list --json', { TERM: 'dumb' }],
    ['in CI', 'mailer domain list --json', { CI: '1' }],
  ])('no spinner %s', async (_, line, env) => {
    // The pause before the retry is longer than the program waits before it shows one.
    const refusal: Answer = { status: 503, headers: { 'Retry-After': '1' }, body: 'busy' };
    const { terminal, answer, service } = await waiting(line, { env }, refusal);
    await answer([]);
    expect(service.requests).toHaveLength(2);
    expect(await terminal.end()).toBe(0);
    expect(terminal.output()).toMatch(/^(\[\]\r\n)?$/);
  });

  test('waiting for an email is one spinner, though it takes many requests', async () => {
    const slow: Answer = (response) => {
      setTimeout(() => answerWith(response, email), 400);
    };
    const line = 'mailer email get email_1 --wait --fields id';
    const list = { body: { data: [], count: 0 } };
    const { terminal, answer, service } = await waiting(line, {}, slow, list, { body: email });
    await terminal.shows(/^. Waiting for DELIVERED; now without a status yet$/);
    await answer({ ...email, emailEvents: [event] });
    expect(await terminal.end()).toBe(0);
    expect(terminal.text()).toBe('id      email_1');
    expect(service.requests).toHaveLength(4);
    expect(terminal.output()).not.toContain('spinner');
  });
});

test('waiting for a batch counts in one spinner, and names the failed ones at the end', async () => {
  const rows = ['a@example.org', 'c@example.org'].map((to) => ({
    ...{ from: 'b@example.com', subject: 'Hi', text: 'Hello' },
    to,
  }));
  const accepted = { body: { data: [{ emailId: 'email_1' }, { emailId: 'email_2' }] } };
  const delivered = { ...email, emailEvents: [event] };
  const line = `echo '${JSON.stringify(rows)}' | mailer email batch - --yes --wait --fields id; echo $?`;
  const { terminal, answer } = await waiting(line, {}, accepted, { body: delivered });
  await terminal.shows(/^. 1 of 2 delivered…$/);
  const second = { ...delivered, id: 'email_2', to: ['c@example.org'] };
  await answer({ ...second, emailEvents: [{ ...event, status: 'BOUNCED' }] });
  expect(await terminal.end()).toBe(0);
  expect(terminal.text()).toBe(
    [
      ...['ID', 'email_1', 'email_2'],
      ...['Error: DELIVERED: 1 of 2 emails. Failed: email_2.', '9'],
    ].join('\n'),
  );
});

describe('Ctrl-C during a slow request', () => {
  const send =
    'mailer email send --to a@example.org --from b@example.com --subject Hi --text Hello';

  test('removes the spinner and prints how to repeat a send', async () => {
    const { terminal, service } = await waiting(`${send}; echo "exit code $?"`);
    await terminal.shows('Waiting for the service');
    terminal.type(ctrlC);
    expect(await terminal.end()).toBe(0);
    const key = String(service.requests[0]?.headers['idempotency-key']);
    expect(terminal.screen()).toMatchObject({
      cursorVisible: true,
      rows: [
        expect.stringMatching(/^(\^C)?Error: Interrupted\.$/),
        `Idempotency-Key: ${key}`,
        ...Array(4).fill(expect.any(String)),
        'exit code 130',
      ],
    });
  });
});
