import { X509Certificate } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import nodemailer from 'nodemailer';
import { describe, expect, test, vi } from 'vitest';
import { patience } from '../../../support/patience.ts';
import { createWorld } from '../../../support/run.ts';
import { serveIn } from '../../../support/serving.ts';
import { startCatcher } from '../../../support/smtp.ts';

const message = { from: 'app@localhost', to: 'ana@example.org', subject: 'Hi', text: 'Hello' };

describe('--smtp-port', () => {
  test('takes mail over TLS that clients can verify, and keeps its certificate', async () => {
    const world = createWorld();
    // Of the certificate, by the clock of TLS.
    world.clock.now = Date.now();
    const fileOf = (name: string) => join(world.home, '.local/share/mailer/sandbox', name);
    const certificate = () => readFileSync(fileOf('smtp-certificate.pem'), 'utf8');
    const flags = '--smtp-port 0 --smtp-tls';
    const first = await serveIn(world, flags);
    const cert = certificate();
    const send = ({ smtpPort }: { smtpPort: number }, host = 'localhost') =>
      nodemailer
        .createTransport({ host, port: smtpPort, requireTLS: true, tls: { ca: cert } })
        .sendMail(message);
    await send(first);
    await send(first, '127.0.0.1');
    const { stdout: status } = await world.run('sandbox status');
    expect(status).toContain(`\nsmtpPort\t${first.smtpPort}\n`);
    expect(status).not.toContain('dnsPort');
    expect(statSync(fileOf('smtp-key.pem')).mode & 0o777).toBe(0o600);
    expect(await first.stop()).toMatchObject({ exitCode: 130 });

    await send(await serveIn(world, flags));
    const { stdout } = await world.run('email list --sandbox --jsonl');
    expect(stdout.match(/"subject":"Hi"/g)).toHaveLength(3);

    const wider = await serveIn(world, `${flags} --allow-host mail`);
    expect(wider.smtpPort).toBeGreaterThan(0);
    expect(new X509Certificate(certificate()).subjectAltName).toContain('DNS:mail');
  });

  test('delivers what comes in to another server with --smtp', async () => {
    const catcher = await startCatcher();
    const { smtpPort } = await serveIn(createWorld(), `--smtp-port 0 --smtp ${catcher.url}`);
    const raw = 'Subject: As it is\r\nX-Order: 7\r\n\r\n.Hi\r\n';
    await nodemailer
      .createTransport({ host: '127.0.0.1', port: smtpPort, ignoreTLS: true })
      .sendMail({ envelope: message, raw });
    await vi.waitFor(() => expect(catcher.received).toHaveLength(1), patience);
    expect(catcher.received[0]).toEqual({ from: message.from, to: [message.to], source: raw });
  });

  test('is not a port that it delivers to itself', async () => {
    const flags = '--smtp-port 1025 --smtp smtp://localhost:1025';
    const { exitCode, stderr } = await createWorld().run(`sandbox start --port 0 ${flags}`);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('mail would loop');
  });
});

test('--dns-port serves the DNS that domain check looks things up in', async () => {
  const world = createWorld();
  const { dnsPort, env } = await serveIn(world, '--dns-port 0');
  const check = (domain: string) =>
    world.run(`domain check ${domain} --resolver 127.0.0.1:${dnsPort} --json`, { env });
  const verified = await check('example.com');
  expect(verified.exitCode).toBe(0);
  expect(JSON.parse(verified.stdout)).toMatchObject({ ok: true });
  expect((await check('example.org')).exitCode).toBe(9);
});
