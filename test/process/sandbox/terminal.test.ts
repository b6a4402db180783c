import nodemailer from 'nodemailer';
import { expect, test } from 'vitest';
import { runHere } from '../../support/here.ts';
import { ctrlC } from '../../support/keys.ts';
import { createPlace } from '../../support/process.ts';
import { openTerminal } from '../../support/terminal.ts';

test('sandbox start prints a line per request and message on a terminal, but none for the inbox', async () => {
  const place = createPlace();
  const start = 'mailer sandbox start --port 0 --smtp-port 0';
  const terminal = openTerminal(place, start, { columns: 160 });
  await terminal.shows('MAILER_API_KEY');
  const [, url = ''] = /^Inbox: (http:\/\/\S+)$/m.exec(terminal.text()) ?? [];
  const [, port] =
    /^SMTP: host 127\.0\.0\.1, port (\d+), no TLS, any login or none/m.exec(terminal.text()) ?? [];
  await fetch(url);
  await fetch(`${url}/live`);
  await fetch(`${url}/api/v1/domains?key=abcdefghij`);
  await terminal.shows(/^\d\d:\d\d:\d\d GET \/api\/v1\/domains\?key=\(hidden\) 401 \d+ ms UNAUTH/m);
  const headers = { authorization: 'Bearer us_sandbox_test_a' };
  await fetch(`${url}/api/v1/emails`, { headers });
  await terminal.shows(/^\d\d:\d\d:\d\d GET \/api\/v1\/emails 200 \d+ ms \[a\]$/m);
  await nodemailer
    .createTransport({ host: '127.0.0.1', port: Number(port), ignoreTLS: true })
    .sendMail({ from: 'app@localhost', to: 'ana@example.org', subject: 'Hi', text: 'Hello' });
  await terminal.shows(/^\d\d:\d\d:\d\d SMTP c\w+ from app@localhost 250 \d+ ms$/m);
  // Another process records it.
  await runHere(place, 'email list --sandbox');
  await terminal.shows(/^\d\d:\d\d:\d\d GET \/api\/v1\/emails\?page=1 200 \d+ ms$/m);
  expect(terminal.text().match(/^\d\d:\d\d:\d\d /gm)).toHaveLength(4);
  expect(terminal.output()).toContain('\u001b[32m200\u001b[39m');
  terminal.type(ctrlC);
  expect(await terminal.end()).toBe(130);
});
