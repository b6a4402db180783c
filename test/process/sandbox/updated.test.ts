import { Resolver } from 'node:dns/promises';
import { rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import nodemailer from 'nodemailer';
import { beforeEach, describe, expect, test } from 'vitest';
import { installProgram } from '../../support/installed.ts';
import { createPlace, finished, isExecutable, root } from '../../support/process.ts';
import { serveSandbox } from '../../support/served.ts';
import { filesIn, read } from '../../support/sources.ts';

beforeEach(({ skip }) => skip(isExecutable, 'an executable is one file'));

describe('a sandbox that is served while its program is updated', () => {
  test('continues to work', async () => {
    const file = installProgram();
    const place = createPlace();
    const flags = ['--port', '0', '--smtp-port', '0', '--smtp-tls', '--dns-port', '0'];
    const served = await serveSandbox(place, flags, { file });
    const { url, baseUrl, apiKey, process } = served;
    // It loads the rest right after its first line, before its first response.
    await fetch(`${url}/healthz`);
    rmSync(join(dirname(dirname(file)), 'dist'), { recursive: true });

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
      return await response.json();
    };
    const created = await post('/v1/campaigns', {
      name: 'March',
      from: 'hello@example.com',
      subject: 'News',
      contactBookId: 'book_customers',
      html: '<a href="{{usesend_unsubscribe_url}}">Unsubscribe</a>',
    });
    const { id } = created as { readonly id: string };
    await post(`/v1/campaigns/${id}/schedule`, { scheduledAt: 'tomorrow 9am' });

    await nodemailer
      .createTransport({
        port: served.smtpPort,
        requireTLS: true,
        tls: { rejectUnauthorized: false },
      })
      .sendMail({ from: 'a@example.com', to: 'b@example.org', subject: 'Hi', text: 'Hello' });
    const resolver = new Resolver();
    resolver.setServers([`127.0.0.1:${served.dnsPort}`]);
    expect(await resolver.resolveMx('mail.example.com')).toHaveLength(1);

    process.kill('SIGINT');
    const { exitCode, stderr } = await finished(process);
    expect(exitCode).toBe(130);
    expect(stderr).not.toMatch(/ENOENT|Error/);
  });

  test('has loaded all late imports of the sandbox', () => {
    const serving = read('src/local-service/serving.ts');
    const imported = (text: string) =>
      [...text.matchAll(/\bimport\('([^']+)'\)/g)].map(([, name = '']) => name);
    const inFolder = (path: string, name: string) =>
      name.startsWith('.') ? resolve(root, dirname(path), name) : name;
    // The code for receiving mail, DNS and delivery is loaded at the start, or never.
    const loaded = imported(serving)
      .map((name) => inFolder('src/local-service/x', name))
      .filter((path) => !/\/(?:dns|smtp)-server\.ts$/.test(path));
    const late = filesIn('src/sandbox/**/*.ts')
      .filter((path) => path !== 'src/sandbox/mail/deliver/recipient-server.ts')
      .flatMap((path) => imported(read(path)).map((name) => inFolder(path, name)))
      .filter((path) => !path.endsWith('/deliver/delivery.ts'));
    expect(late.length).toBeGreaterThan(4);
    expect([...new Set(late)].sort()).toEqual(loaded.sort());
  });
});
