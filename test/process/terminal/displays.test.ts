import { expect, test } from 'vitest';
import { summary } from '../../commands/campaign/draft.ts';
import { batchLine, writePeople } from '../../support/batch.ts';
import { accept } from '../../support/batch-service.ts';
import { ctrlC } from '../../support/keys.ts';
import { createPlace } from '../../support/process.ts';
import { type Answer, startRecorder } from '../../support/recorder.ts';
import { openTerminal } from '../../support/terminal.ts';

/** A user of a service with these responses, and none to later requests. */
async function userOf(...answers: readonly Answer[]) {
  const service = await startRecorder(...answers, () => {});
  return createPlace({ MAILER_BASE_URL: service.baseUrl, MAILER_API_KEY: 'us_key_0123456789' });
}

test('the bar of a batch is drawn on stderr, in place; Ctrl-C removes it and shows the cursor', async () => {
  const place = await userOf(accept, accept, accept);
  writePeople(place, 1000);
  const words = [...batchLine, '--concurrency', '1'].map((word) => `'${word}'`).join(' ');
  const terminal = openTerminal(place, `mailer ${words} > out; echo "exit code $?"`);
  await terminal.shows('300 of 1,000');
  expect(terminal.text()).toMatch(/^. Sending {2}█{9}░{21} {3}30\.0% {4}300 of 1,000$/m);
  expect(terminal.screen().cursorVisible).toBe(false);
  terminal.type(ctrlC);
  await terminal.end();
  expect(terminal.text()).toMatch(/^(\^C)?Error: Interrupted\.\nHint: 300 of 1,000 emails/);
  expect(terminal.text()).not.toMatch(/[█░]|Sending/);
  expect(terminal.screen().rows.at(-1)).toBe('exit code 130');
  expect(terminal.screen().cursorVisible).toBe(true);
});

test('a live view fits a terminal that becomes narrower; SIGTERM removes it and shows the cursor', async () => {
  const id = 'cm3k9x2f8000008l4';
  const body = summary(id, { status: 'RUNNING', total: 10_000, sent: 6120 });
  const place = await userOf({ body });
  // The shell gets the signal too, and ignores it.
  const line = `trap : TERM; mailer campaign watch ${id}; echo "exit code $?"`;
  const terminal = openTerminal(place, line);
  await terminal.shows(/ {2}Sent {10}█{18}░{12} {3}61\.2% {2}6,120 of 10,000$/m);
  expect(terminal.screen().cursorVisible).toBe(false);
  terminal.resize(40);
  await terminal.shows(/ {2}Sent {10}█{4}░{3} {3}61\.2% {2}6,120$/m);
  // Lines that the terminal has broken are erased.
  expect(terminal.output()).toContain('\x1b[J');
  process.kill(-terminal.pid, 'SIGTERM');
  await terminal.end();
  const { cursorVisible, rows } = terminal.screen();
  expect(cursorVisible).toBe(true);
  expect(rows.join('')).toContain('Error: Terminated.');
  expect(rows.join('').replaceAll(' ', '')).toContain(`Tokeepwatching:mailercampaignwatch${id}`);
  expect(rows.join('')).not.toContain('█');
  expect(rows.at(-1)).toBe('exit code 143');
});
