import { X509Certificate } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import nodemailer from 'nodemailer';
import { describe, expect, test, vi } from 'vitest';
import { runHere } from '../../support/here.ts';
import { ctrlC } from '../../support/keys.ts';
import { createPlace, finished, type Place } from '../../support/process.ts';
import { serveSandbox } from '../../support/served.ts';
import { startCatcher } from '../../support/smtp.ts';
import { openTerminal } from '../../support/terminal.ts';

const message = { from: 'app@localhost', to: 'ana@example.org', subject: 'Hi', text: 'Hello' };

/** The certificate that clients may trust. */
function certificateOf(place: Place): string {
  return readFileSync(join(place.sandboxDirectory, 'smtp-certificate.pem'), 'utf8');
}

describe('sandbox start --smtp-port', () => {
  test('takes mail over TLS that clients can verify, and keeps its certificate', async () => {
    const place = createPlace();
    const flags = ['--port', '0', '--smtp-port', '0', '--smtp-tls'];
    const first = await serveSandbox(place, flags);
    const cert = certificateOf(place);
    const send = ({ smtpPort }: { smtpPort: number }, host = 'localhost') =>
      nodemailer
        .createTransport({ host, port: smtpPort, requireTLS: true, tls: { ca: cert } })
        .sendMail(message);
    await send(first);
    await send(first, '127.0.0.1');
    const status = await runHere(place, 'sandbox status');
    expect(status.stdout).toContain(`\nsmtpPort\t${first.smtpPort}\n`);
    expect(status.stdout).not.toContain('dnsPort');
    expect(statSync(join(place.sandboxDirectory, 'smtp-key.pem')).mode & 0o777).toBe(0o600);
    first.process.kill('SIGTERM');
    expect(await finished(first.process)).toMatchObject({ exitCode: 143 });

    const again = await serveSandbox(place, flags);
    await send(again);
    const { stdout } = await runHere(place, 'email list --sandbox --jsonl');
    expect(stdout.match(/"subject":"Hi"/g)).toHaveLength(3);

    const wider = await serveSandbox(place, [...flags, '--allow-host', 'mail']);
    expect(wider.smtpPort).toBeGreaterThan(0);
    const names = new X509Certificate(certificateOf(place)).subjectAltName;
    expect(names).toContain('DNS:mail');
  });

  test('a message of a million lines with a dot takes little more memory than its bytes', async () => {
    const env = { NODE_OPTIONS: '--max-old-space-size=80' };
    const flags = ['--port', '0', '--smtp-port', '0'];
    const { smtpPort } = await serveSandbox(createPlace(), flags, { env });
    const socket = connect(Number(smtpPort), '127.0.0.1');
    let heard = '';
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      heard += String(chunk);
      if (!/^220 .*\r\n$/.test(heard)) return;
      const envelope = 'MAIL FROM:<a@b.example>\r\nRCPT TO:<c@d.example>\r\nDATA\r\n';
      socket.write(`EHLO a\r\n${envelope}${'..\r\n'.repeat(1_000_000)}.\r\nQUIT\r\n`);
    });
    await new Promise((resolve) => socket.once('close', resolve));
    expect(heard).toMatch(/^554 .* 500000 lines\r\n221 /m);
  });

  test('delivers what comes in to another server with --smtp', async () => {
    const catcher = await startCatcher();
    const flags = ['--port', '0', '--smtp-port', '0', '--smtp', catcher.url];
    const { smtpPort } = await serveSandbox(createPlace(), flags);
    const raw = 'Subject: As it is\r\nX-Order: 7\r\n\r\n.Hi\r\n';
    await nodemailer
      .createTransport({ host: '127.0.0.1', port: smtpPort, ignoreTLS: true })
      .sendMail({ envelope: message, raw });
    await vi.waitFor(() => expect(catcher.received).toHaveLength(1), { timeout: 20_000 });
    expect(catcher.received[0]).toEqual({ from: message.from, to: [message.to], source: raw });
  });

  test('prints a line for each message on a terminal', async () => {
    const terminal = openTerminal(createPlace(), 'mailer sandbox start --port 0 --smtp-port 0', {
      columns: 160,
    });
    await terminal.shows('MAILER_API_KEY');
    const [, port] =
      /^SMTP: host 127\.0\.0\.1, port (\d+), no TLS, any login or none/m.exec(terminal.text()) ??
      [];
    await nodemailer
      .createTransport({ host: '127.0.0.1', port: Number(port), ignoreTLS: true })
      .sendMail(message);
    await terminal.shows(/^\d\d:\d\d:\d\d SMTP c\w+ from app@localhost 250 \d+ ms$/m);
    terminal.type(ctrlC);
    expect(await terminal.end()).toBe(130);
  });

  test('ends with open connections, and leaves nothing of half a message', async () => {
    const place = createPlace();
    const { process, smtpPort } = await serveSandbox(place, ['--port', '0', '--smtp-port', '0']);
    const socket = connect(smtpPort, '127.0.0.1').on('error', () => {});
    const closed = new Promise((resolve) => socket.once('close', resolve));
    let heard = '';
    socket.on('data', (chunk) => {
      heard += String(chunk);
    });
    const hears = (text: string) => vi.waitFor(() => expect(heard).toContain(text), 20_000);
    await hears('220 ');
    socket.write('EHLO a\r\nMAIL FROM:<a@b.example>\r\nRCPT TO:<c@d.example>\r\nDATA\r\n');
    await hears('354 ');
    socket.write('Subject: Half\r\n\r\nHi');
    process.kill('SIGINT');
    expect(await finished(process)).toMatchObject({ exitCode: 130 });
    await closed;
    expect((await runHere(place, 'email list --sandbox')).stdout).not.toContain('Half');
  });

  test('reads a message of nearly 32 MiB in a thread, and in little memory', async () => {
    const place = createPlace();
    const { process, smtpPort } = await serveSandbox(place, ['--port', '0', '--smtp-port', '0']);
    const headers = ['Subject: Large', 'Content-Type: multipart/mixed; boundary=b', '', ''];
    const part = ['--b', 'Content-Type: application/octet-stream', '', ''];
    const line = `${'x'.repeat(70)}\r\n`;
    const raw = Buffer.concat([
      Buffer.from([...headers, ...part].join('\r\n')),
      Buffer.alloc(31 * 1024 * 1024, line),
      Buffer.from('\r\n--b--\r\n'),
    ]);
    await nodemailer
      .createTransport({ host: '127.0.0.1', port: smtpPort, ignoreTLS: true })
      .sendMail({ envelope: message, raw });
    const shown = await runHere(place, 'email list --sandbox --fields subject');
    expect(shown.stdout).toContain('Large');
    if (!existsSync('/proc')) return;
    const [, peak] =
      /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${process.pid}/status`, 'utf8')) ?? [];
    expect(Number(peak) / 1024).toBeLessThan(900);
  });

  test('refuses a port in use before it deletes anything', async () => {
    const place = createPlace();
    const { smtpPort, env } = await serveSandbox(place, ['--port', '0', '--smtp-port', '0']);
    await runHere(
      place,
      'email send --to a@example.org --from a@example.com --subject Kept --text x',
      {
        env,
      },
    );
    const flags = `--port 0 --smtp-port ${smtpPort} --reset`;
    const { exitCode, stderr } = await place.run(`sandbox start ${flags}`);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: `Error: Cannot listen on 127.0.0.1:${smtpPort}: the port is in use\nHint: Another program is listening there, perhaps another sandbox. --smtp-port 0 takes any free port.\n`,
    });
    expect((await runHere(place, 'email list --sandbox')).stdout).toContain('Kept');
  });

  test('refuses to deliver to itself', async () => {
    const flags = '--port 0 --smtp-port 1025 --smtp smtp://localhost:1025';
    const { exitCode, stderr } = await createPlace().run(`sandbox start ${flags}`);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('mail would loop');
  });
});

test('sandbox start --dns-port serves the DNS that domain check looks things up in', async () => {
  const place = createPlace();
  const { dnsPort, env } = await serveSandbox(place, ['--port', '0', '--dns-port', '0']);
  const check = (domain: string) =>
    place.run(`domain check ${domain} --resolver 127.0.0.1:${dnsPort} --json`, { env });
  const verified = await check('example.com');
  expect(verified.exitCode).toBe(0);
  expect(JSON.parse(verified.stdout)).toMatchObject({ ok: true });
  expect((await check('example.org')).exitCode).toBe(9);
});
