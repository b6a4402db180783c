import { expect, test, vi } from 'vitest';
import { runHere } from '../../support/here.ts';
import { ctrlC } from '../../support/keys.ts';
import { createPlace, finished } from '../../support/process.ts';
import { serveSandbox } from '../../support/served.ts';
import { openTerminal } from '../../support/terminal.ts';

test('sandbox logs --follow prints requests as they come, after a reset, too, until Ctrl-C', async () => {
  const place = createPlace();
  const { env } = await serveSandbox(place);
  await runHere(place, 'domain list', { env });
  const follower = place.start('sandbox logs --follow --jsonl');
  let text = '';
  follower.stdout.on('data', (chunk) => {
    text += String(chunk);
  });
  const shows = (expected: string) =>
    vi.waitFor(() => expect(text).toContain(expected), { timeout: 10_000 });
  await shows('"/api/v1/domains"');
  await runHere(place, 'sandbox reset --yes');
  await place.run('api GET /v1/nothing', { env });
  await shows('"/api/v1/nothing"');
  follower.kill('SIGINT');
  expect(await finished(follower)).toMatchObject({ exitCode: 130, stderr: '' });
  const paths = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).path);
  expect(paths.slice(0, 2)).toEqual(['/api/v1/domains', '/api/v1/nothing']);
});

test('sandbox start prints a line per request on a terminal, but none for the inbox', async () => {
  const place = createPlace();
  const terminal = openTerminal(place, 'mailer sandbox start --port 0', { columns: 120 });
  await terminal.shows('MAILER_API_KEY');
  const [, url = ''] = /^Inbox: (http:\/\/\S+)$/m.exec(terminal.text()) ?? [];
  await fetch(url);
  await fetch(`${url}/live`);
  await fetch(`${url}/api/v1/domains?key=abcdefghij`);
  await terminal.shows(/^\d\d:\d\d:\d\d GET \/api\/v1\/domains\?key=\(hidden\) 401 \d+ ms UNAUTH/m);
  await runHere(place, 'email list --sandbox');
  await terminal.shows(/^\d\d:\d\d:\d\d GET \/api\/v1\/emails\?page=1 200 \d+ ms$/m);
  expect(terminal.text().match(/^\d\d:\d\d:\d\d /gm)).toHaveLength(2);
  expect(terminal.output()).toContain('\u001b[32m200\u001b[39m');
  terminal.type(ctrlC);
  expect(await terminal.end()).toBe(130);
});

test('sandbox start --quiet prints its URL, and no requests', async () => {
  const place = createPlace();
  const terminal = openTerminal(place, 'mailer sandbox start --port 0 --quiet');
  await terminal.shows(/http:\/\/127.0.0.1:\d+\/api/);
  const baseUrl = terminal.text().trim();
  await fetch(`${baseUrl}/v1/domains`);
  // It has been recorded by now; the next poll would print the line.
  const logs = await place.run('sandbox logs -q');
  expect(logs.stdout).toBe('GET /api/v1/domains\n');
  terminal.type(ctrlC);
  expect(await terminal.end()).toBe(130);
  expect(terminal.text()).not.toContain('/v1/domains');
});
