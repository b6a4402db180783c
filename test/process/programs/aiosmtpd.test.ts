import { fileURLToPath } from 'node:url';
import { execa, execaSync } from 'execa';
import PostalMime from 'postal-mime';
import { expect, onTestFinished, test, vi } from 'vitest';
import { readSmtpUrl } from '../../../src/sandbox/mail/deliver/smtp-url.ts';
import { email, startSandbox } from '../../sandbox/harness.ts';
import { type Need, needing } from '../../support/needs.ts';
import { patience } from '../../support/patience.ts';

// A server by other authors, in another language. The other tests' server may be as lenient as the
// client, because both have the same author; this one is strict.

/** Debian's package needs Debian's Python, which may not be the first one in PATH. */
const python = ['/usr/bin/python3', 'python3'].find(
  (name) => !execaSync(name, ['-c', 'import aiosmtpd'], { reject: false }).failed,
);

const aiosmtpd: Need = {
  isMet: python !== undefined,
  why: 'aiosmtpd is missing (Debian package python3-aiosmtpd)',
};

const script = fileURLToPath(new URL('python-server.py', import.meta.url));

/** Starts the server, and reads the lines it prints. */
async function startPython() {
  const child = execa(python ?? '', [script], { reject: false });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  let text = '';
  child.stdout.on('data', (chunk) => {
    text += String(chunk);
  });
  const lines = (count: number) =>
    vi.waitFor(
      () => {
        const found = text.split('\n').slice(0, -1);
        expect(found.length).toBeGreaterThanOrEqual(count);
        return found;
      },
      { timeout: patience, interval: 10 },
    );
  const [port] = await lines(1);
  return { url: `smtp://127.0.0.1:${port}`, lines };
}

test('Python’s aiosmtpd accepts mail unmodified', needing(aiosmtpd), async () => {
  const { url, lines } = await startPython();
  const { sandbox, ok } = startSandbox();
  const server = readSmtpUrl(url);
  if (server === undefined) throw new Error(`not the URL of an SMTP server: ${url}`);
  const delivery = await sandbox.deliverBySmtp(server);
  onTestFinished(async () => {
    await delivery.stop();
  });
  const body = email({
    to: ['Ana <Ana@example.org>', '"a, b"@example.org', 'käthe@bücher.example'],
    cc: 'gone@example.org',
    bcc: 'secret@example.org',
    subject: 'Grüße 🎉',
    text: '.\n..\nünïcode\n.',
    html: `<p>${'x'.repeat(5000)}</p>`,
    attachments: [{ filename: 'ü.bin', content: Buffer.from('\r\n.\r\n\0').toString('base64') }],
  });
  const { emailId } = await ok('email.send', { body });
  delivery.work();
  const [, line = ''] = await lines(2);
  // Printed by the script beside this file.
  const message = JSON.parse(line) as { from: string; to: string[]; data: string };
  expect(message).toMatchObject({
    from: 'shop@example.com',
    to: ['Ana@example.org', '"a, b"@example.org', 'käthe@bücher.example', 'secret@example.org'],
  });
  const source = Buffer.from(message.data, 'base64');
  expect(source.toString('latin1')).not.toContain('secret');
  const parsed = await PostalMime.parse(source);
  expect(parsed).toMatchObject({
    subject: 'Grüße 🎉',
    text: '.\n..\nünïcode\n.\n',
    cc: [{ address: 'gone@example.org' }],
    attachments: [{ filename: 'ü.bin' }],
  });
  const content = parsed.attachments[0]?.content;
  expect(content instanceof ArrayBuffer && Buffer.from(content).toString('latin1')).toBe(
    '\r\n.\r\n\0',
  );
  await vi.waitFor(async () => {
    const { emailEvents } = await ok('email.get', { params: { emailId } });
    const statuses = emailEvents.map(({ status }) => status);
    expect(statuses.filter((status) => status === 'DELIVERED')).toHaveLength(4);
    expect(statuses.filter((status) => status === 'BOUNCED')).toHaveLength(1);
  }, patience);
});
