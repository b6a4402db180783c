import { Resolver } from 'node:dns/promises';
import { readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import nodemailer from 'nodemailer';
import { expect, test, vi } from 'vitest';
import { installProgram } from '../../support/installed.ts';
import { patience } from '../../support/patience.ts';
import { createPlace, finished, isExecutable, temporaryDirectory } from '../../support/process.ts';
import { type Answer, startRecorder } from '../../support/recorder.ts';
import { serveSandbox } from '../../support/served.ts';
import { startCatcher } from '../../support/smtp.ts';

test('a served sandbox does all that it can, also after an update has deleted its program', async () => {
  const place = createPlace();
  const catcher = await startCatcher();
  const handler = await startRecorder(...Array<Answer>(20).fill({}));
  const flags = ['--port', '0', '--smtp-port', '0', '--smtp-tls', '--dns-port', '0'];
  const outwards = ['--smtp', catcher.url, '--webhook', handler.url];
  // An executable is one file, which runs on when it is deleted.
  const file = isExecutable ? undefined : installProgram(temporaryDirectory());
  const served = await serveSandbox(
    place,
    [...flags, ...outwards],
    file === undefined ? {} : { file },
  );
  const { url, baseUrl, apiKey, process } = served;
  // It loads the rest right after its first line, before its first response.
  await fetch(`${url}/healthz`);
  if (file !== undefined) rmSync(join(dirname(dirname(file)), 'dist'), { recursive: true });

  const pages = `/ /campaigns /contacts /contacts/book_customers /domains /reputation /requests
    /messages/email_receipt /messages/email_receipt/source.eml /control /api/v1/doc
    /assets/client.js`.split(/\s+/);
  const headers = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' };
  for (const path of pages) {
    const page = await fetch(`${url}${path}`, { headers });
    expect({ path, status: page.status }).toEqual({ path, status: 200 });
    await page.arrayBuffer();
  }
  expect((await fetch(`${url}/unsubscribe/none`)).status).toBe(404);

  const post = async (path: string, body: unknown) => {
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    const response = await fetch(`${baseUrl}${path}`, init);
    expect(response).toMatchObject({ ok: true });
    return Object(await response.json());
  };
  const { id } = await post('/v1/campaigns', {
    name: 'March',
    from: 'hello@example.com',
    subject: 'News',
    contactBookId: 'book_customers',
    html: '<a href="{{usesend_unsubscribe_url}}">Unsubscribe</a>',
  });
  await post(`/v1/campaigns/${id}/schedule`, { scheduledAt: 'tomorrow 9am' });

  // So large that a thread reads it.
  const large = 'A line of a large text.\r\n'.repeat(20_000);
  const ca = readFileSync(join(place.sandboxDirectory, 'smtp-certificate.pem'));
  await nodemailer
    .createTransport({
      ...{ host: 'localhost', port: served.smtpPort, requireTLS: true, tls: { ca } },
    })
    .sendMail({ from: 'a@example.com', to: 'b@example.org', subject: 'Large', text: large });
  await vi.waitFor(() => {
    expect(catcher.received).toMatchObject([{ source: expect.stringContaining('Subject: Large') }]);
    const told = handler.requests.map(({ body }) => Object(JSON.parse(body)).type);
    expect(told).toContain('email.delivered');
  }, patience);
  const resolver = new Resolver();
  resolver.setServers([`127.0.0.1:${served.dnsPort}`]);
  expect(await resolver.resolveMx('mail.example.com')).toHaveLength(1);

  process.kill('SIGINT');
  const { exitCode, stderr } = await finished(process);
  expect(exitCode).toBe(130);
  expect(stderr).not.toMatch(/ENOENT|Error/);
});
