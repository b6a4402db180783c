import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { serveDns } from '../../src/sandbox/dns/dns-server.ts';
import { patience } from '../support/patience.ts';
import { startSandbox } from './harness.ts';

/** A sandbox's DNS over UDP and TCP, and a resolver that uses it. */
async function startDns() {
  const { sandbox } = startSandbox();
  const lookUp = async (name: string, type: string) => sandbox.lookUp(name, type);
  const server = await serveDns({ host: '127.0.0.1', port: 0, lookUp });
  onTestFinished(server.close);
  const resolver = new Resolver({ timeout: patience, tries: 1 });
  resolver.setServers([`127.0.0.1:${server.port}`]);
  return { sandbox, resolver, port: server.port };
}

test('has the records of the domains', async () => {
  const { resolver } = await startDns();
  expect(await resolver.resolveMx('mail.example.com')).toMatchObject([
    { priority: 10, exchange: 'feedback-smtp.us-east-1.amazonses.com' },
  ]);
  expect(await resolver.resolveTxt('MAIL.Example.com')).toEqual([
    ['v=spf1 include:amazonses.com ~all'],
  ]);
});

test('splits a long text as DNS has to', async () => {
  const { sandbox, resolver } = await startDns();
  const name = 'long.example.com';
  const value = 'ä'.repeat(1500);
  await sandbox.fetch(
    new Request('http://sandbox.test/control/dns', {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ name, type: 'TXT', values: [value, 'other'] }),
    }),
  );
  // Too long for UDP, so the resolver uses TCP.
  const [strings = [], other] = await resolver.resolveTxt(name);
  expect(other).toEqual(['other']);
  expect(strings).toHaveLength(12);
  const answer = sandbox.lookUp(name, 'TXT');
  expect(answer).toEqual({ kind: 'found', values: [value, 'other'] });
});

test('distinguishes a missing name from one without such a record', async () => {
  const { resolver } = await startDns();
  const code = (work: Promise<unknown>) => expect(work).rejects;
  await code(resolver.resolveTxt('nothing.example.com')).toMatchObject({ code: 'ENOTFOUND' });
  await code(resolver.resolve4('mail.example.com')).toMatchObject({ code: 'ENODATA' });
  await code(resolver.resolveTxt('example.edu')).toMatchObject({ code: 'ENOTFOUND' });
});

test('survives packets that are not questions', async () => {
  const { resolver, port } = await startDns();
  const udp = createSocket('udp4');
  onTestFinished(() => {
    udp.close();
  });
  for (const packet of ['', 'x', 'GET / HTTP/1.1\r\n\r\n', '\0'.repeat(12), '\xff'.repeat(600)]) {
    await new Promise((resolve) => udp.send(Buffer.from(packet, 'latin1'), port, resolve));
    const tcp = connect(port, '127.0.0.1').on('error', () => {});
    await new Promise((resolve) => tcp.end(Buffer.from(packet, 'latin1'), () => resolve(0)));
  }
  expect(await resolver.resolveMx('mail.example.com')).toHaveLength(1);
});

/** A packet with this id, these flags and this many questions. */
function packetOf(id: number, flags: number, questions: number): Buffer {
  const head = Buffer.alloc(12);
  head.writeUInt16BE(id, 0);
  head.writeUInt16BE(flags, 2);
  head.writeUInt16BE(questions, 4);
  const mx = Buffer.from('\x04mail\x07example\x03com\0\0\x0f\0\x01', 'latin1');
  return Buffer.concat([head, ...Array<Buffer>(questions).fill(mx)]);
}

/** The response to a packet with these flags and this many questions; undefined if only a question after it has one. */
async function responseTo(port: number, flags: number, questions: number) {
  const udp = createSocket('udp4');
  const received = new Promise<Buffer>((resolve) => udp.once('message', resolve));
  udp.send(packetOf(1, flags, questions), port, '127.0.0.1');
  udp.send(packetOf(2, 0x0100, 1), port, '127.0.0.1');
  const response = await received;
  udp.close();
  if (response.readUInt16BE(0) === 2) return undefined;
  return { response: response.readUInt8(2) >> 7, code: response.readUInt8(3) & 0xf };
}

test('does not respond to a response: another server would respond to that', async () => {
  const { port } = await startDns();
  expect(await responseTo(port, 0x8000, 1)).toBe(undefined);
  expect(await responseTo(port, 0xffff, 0)).toBe(undefined);
});

test.each([
  ['a question', 0x0100, 1, 0],
  ['another operation', 0x2800, 1, 4],
  ['no question', 0, 0, 1],
  ['two questions', 0, 2, 1],
])('has a response to %s', async (_, flags, questions, code) => {
  const { port } = await startDns();
  expect(await responseTo(port, flags, questions)).toEqual({ response: 1, code });
});

test('closes with open connections', async () => {
  const { sandbox } = startSandbox();
  const lookUp = async (name: string, type: string) => sandbox.lookUp(name, type);
  const server = await serveDns({ host: '127.0.0.1', port: 0, lookUp });
  const tcp = connect(server.port, '127.0.0.1').on('error', () => {});
  await new Promise((resolve) => tcp.once('connect', resolve));
  const closed = new Promise((resolve) => tcp.once('close', resolve));
  await Promise.all([server.close(), closed]);
});

test.each(['127.0.0.1', '::1'])('a port in use on %s is an error', async (host) => {
  const { sandbox } = startSandbox();
  const lookUp = async (name: string, type: string) => sandbox.lookUp(name, type);
  const first = await serveDns({ host, port: 0, lookUp });
  onTestFinished(first.close);
  await expect(serveDns({ host, port: first.port, lookUp })).rejects.toMatchObject({
    code: 'EADDRINUSE',
  });
});
