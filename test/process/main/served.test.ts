import nodemailer from 'nodemailer';
import { expect, test } from 'vitest';
import { createPlace, finished } from '../../support/process.ts';
import { serveSandbox } from '../../support/served.ts';

test('a served sandbox responds to the API, takes mail, shows it in its inbox, and ends on SIGTERM', async () => {
  const place = createPlace();
  const flags = ['--port', '0', '--smtp-port', '0'];
  const { process, url, baseUrl, smtpPort, apiKey } = await serveSandbox(place, flags);
  const headers = { Authorization: `Bearer ${apiKey}` };
  const domains = await fetch(`${baseUrl}/v1/domains`, { headers });
  expect(await domains.json()).toMatchObject([{}, {}, {}]);
  await nodemailer
    .createTransport({ host: '127.0.0.1', port: smtpPort, ignoreTLS: true })
    .sendMail({ from: 'app@localhost', to: 'ana@example.org', subject: 'Arrived', text: 'Hello' });
  const inbox = await fetch(url);
  expect(await inbox.text()).toContain('Arrived');
  process.kill('SIGTERM');
  const { exitCode, stdout, stderr } = await finished(process);
  expect({ exitCode, lines: stdout.split('\n').length }).toEqual({ exitCode: 143, lines: 2 });
  expect(stderr).toMatch(
    /^The sandbox is running; .*\nInbox: .*\nSMTP: host 127\.0\.0\.1, .*\nCtrl-C stops it\.\n$/,
  );
});
