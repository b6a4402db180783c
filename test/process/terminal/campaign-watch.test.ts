import { describe, expect, test, vi } from 'vitest';
import { page, summary } from '../../commands/campaign/draft.ts';
import { createPlace, finished } from '../../support/process.ts';
import { type Answer, startRecorder } from '../../support/recorder.ts';
import { ctrlC, openTerminal } from '../../support/terminal.ts';

const id = 'cm3k9x2f8000008l4';
const watch = `mailer campaign watch ${id} --interval 50ms --retries 0`;

/** A user of a service with one campaign, which the test controls. */
async function campaign(first: Readonly<Record<string, unknown>>) {
  const create = (fields: Readonly<Record<string, unknown>>) =>
    summary(id, { total: 10_000, ...fields });
  let current = create(first);
  let failure: string | undefined;
  const answer: Answer = (response, { path }) => {
    const error = failure && { code: 'INTERNAL_SERVER_ERROR', message: failure };
    const found = path.includes('?') ? page(current).body : current;
    response.writeHead(error ? 500 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(error ? { error } : found));
  };
  const service = await startRecorder(...Array<Answer>(5000).fill(answer));
  const place = createPlace({
    MAILER_BASE_URL: service.baseUrl,
    MAILER_API_KEY: 'us_key_0123456789',
  });
  return {
    place,
    requests: service.requests,
    becomes: (fields: Readonly<Record<string, unknown>>) => {
      current = create(fields);
      failure = undefined;
    },
    fails: (message: string) => {
      failure = message;
    },
  };
}

const running = { status: 'RUNNING', sent: 6120, delivered: 5942 };

describe('on a terminal', () => {
  test.each([
    [
      80,
      [
        /^. Spring news {2}RUNNING {2}0:\d\d$/,
        '  Sent          ██████████████████░░░░░░░░░░░░   61.2%  6,120 of 10,000',
        '  Delivered     █████████████████████████████░   97.0%  5,942',
        '  Unsubscribed  ░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░    0.0%      0',
      ],
    ],
    [
      40,
      [
        /^. Spring news {2}RUNNING {2}0:\d\d$/,
        '  Sent          ████░░░   61.2%  6,120',
        '  Delivered     ██████░   97.0%  5,942',
        '  Unsubscribed  ░░░░░░░    0.0%      0',
      ],
    ],
  ])('of %d columns: bars that are drawn in place, and removed', async (columns, expected) => {
    const { place, becomes } = await campaign(running);
    const terminal = openTerminal(place, `${watch}; echo "exit code $?"`, { columns });
    await terminal.shows('6,120');
    expect(terminal.screen().rows).toEqual(
      expected.map((row) => (typeof row === 'string' ? row : expect.stringMatching(row))),
    );
    expect(terminal.screen().cursorVisible).toBe(false);
    becomes({ ...running, sent: 7000 });
    await terminal.shows(/7,000/);
    expect(terminal.text()).toMatch(/\d\/s/);
    becomes({ ...running, status: 'SENT', sent: 10_000 });
    expect(await terminal.end()).toBe(0);
    expect(terminal.screen().cursorVisible).toBe(true);
    expect(terminal.screen().rows.at(0)).toBe(`Id            ${id}`);
    expect(terminal.text()).toMatch(/^Sent {10}10000$/m);
    expect(terminal.text()).not.toContain('█');
    expect(terminal.screen().rows.at(-1)).toBe('exit code 0');
  });

  test.each([40, 80])(
    'of %d columns: Ctrl-C removes them and shows the cursor',
    async (columns) => {
      const { place } = await campaign(running);
      const terminal = openTerminal(place, `${watch}; echo "exit code $?"`, { columns });
      await terminal.shows('6,120');
      terminal.type(ctrlC);
      expect(await terminal.end()).toBe(0);
      expect(terminal.screen()).toEqual({
        cursorVisible: true,
        rows: [expect.stringMatching(/^(\^C)?exit code 130$/)],
      });
    },
  );

  test('SIGTERM removes them, and prints how to continue', async () => {
    const { place } = await campaign(running);
    // The shell gets the signal too, and ignores it.
    const terminal = openTerminal(place, `trap : TERM; ${watch}; echo "exit code $?"`);
    await terminal.shows('6,120');
    process.kill(-terminal.pid, 'SIGTERM');
    expect(await terminal.end()).toBe(0);
    const { cursorVisible, rows } = terminal.screen();
    expect(cursorVisible).toBe(true);
    expect(rows[0]).toBe('Error: Terminated.');
    expect(rows.join('')).toContain(`To keep watching: mailer campaign watch ${id}`);
    expect(rows.at(-1)).toBe('exit code 143');
  });

  test('the reason for waiting, below the bars, until a response', async () => {
    const { place, becomes, fails } = await campaign(running);
    const terminal = openTerminal(place, watch, { columns: 40 });
    await terminal.shows('6,120');
    fails('We are\x1b[2J very sorry for that');
    await terminal.shows(
      /\n {2}The service responded with 500: We\n {2}are\\x1b\[2J very sorry for that\.\n {2}Still waiting\.$/,
    );
    becomes({ ...running, sent: 7000 });
    await terminal.shows('7,000');
    expect(terminal.text()).not.toContain('sorry');
    terminal.type(ctrlC);
    expect(await terminal.end()).toBe(130);
  });

  test('the bars are on stderr, so that the result can be piped', async () => {
    const { place, becomes } = await campaign(running);
    const terminal = openTerminal(place, `${watch} --json > out; cat out`);
    await terminal.shows('6,120');
    becomes({ ...running, status: 'SENT' });
    expect(await terminal.end()).toBe(0);
    expect(JSON.parse(terminal.text().replaceAll('\n', ''))).toMatchObject({ id, status: 'SENT' });
  });

  test.each(['--quiet', '> out', '--jsonl', '2> err'])('no bars with %s', async (flags) => {
    const { place, becomes, requests } = await campaign(running);
    const terminal = openTerminal(place, `${watch} ${flags}`);
    // With one every 50 ms, this is longer than the program waits before it shows any.
    await vi.waitFor(() => expect(requests.length).toBeGreaterThan(20), { timeout: 20_000 });
    becomes({ ...running, status: 'SENT' });
    expect(await terminal.end()).toBe(0);
    expect(terminal.output()).not.toContain('█');
  });
});

describe('piped', () => {
  test('each line is printed at its change', async () => {
    const { place, becomes } = await campaign(running);
    const started = place.start(watch.split(' ').slice(1));
    let lines = '';
    started.stdout.on('data', (chunk) => {
      lines += String(chunk);
    });
    const comes = (text: string) =>
      vi.waitFor(() => expect(lines).toContain(text), { timeout: 20_000, interval: 5 });
    await comes('\t6120\t');
    becomes({ ...running, sent: 7000 });
    await comes('\t7000\t');
    becomes({ ...running, status: 'SENT' });
    expect(await finished(started)).toMatchObject({ exitCode: 0, stderr: '' });
  });

  test('| head -1 ends it quietly, with the next line', async () => {
    const { place, becomes } = await campaign(running);
    const started = place.shell(`${watch} | head -1; echo "\${PIPESTATUS[@]}"`);
    let first = '';
    started.stdout.on('data', (chunk) => {
      first += String(chunk);
    });
    await vi.waitFor(() => expect(first).toMatch(/^time\tstatus\tscheduledAt\t/), {
      timeout: 20_000,
    });
    becomes({ ...running, sent: 7000 });
    const { stdout, stderr } = await finished(started);
    expect({ stdout, stderr }).toEqual({
      stdout: expect.stringMatching(/^time\tstatus\tscheduledAt\t.*\n0 0\n$/),
      stderr: '',
    });
  });

  test.each([
    ['SIGINT', 130, /^$/],
    ['SIGTERM', 143, /^Error: Terminated\.\nHint: .* To keep watching: mailer campaign watch /],
  ] as const)('%s ends it at once, with %d', async (signal, exitCode, said) => {
    const { place } = await campaign(running);
    const started = place.start(`campaign watch ${id} --interval 1h`);
    await new Promise((resolve) => started.stdout.once('data', resolve));
    started.kill(signal);
    const stderr = expect.stringMatching(said);
    expect(await finished(started)).toMatchObject({ exitCode, stderr });
  });
});
