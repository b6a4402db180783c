import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { key } from '../../../support/connected.ts';
import { createWorld } from '../../../support/run.ts';

const respond = (status: string, body: object) => {
  const text = JSON.stringify(body);
  return `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${text.length}\r\n\r\n${text}`;
};

/** A machine with an account at a server that does this with each connection. */
async function connectedTo(onConnection: (socket: Socket) => void) {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    onConnection(socket);
  });
  server.listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  // A server that listens on a TCP port has an address of this kind.
  const { port } = server.address() as AddressInfo;
  return createWorld({ MAILER_BASE_URL: `http://127.0.0.1:${port}`, MAILER_API_KEY: key });
}

test('a request is retried when the service is unavailable and resets the connection while it is written', async () => {
  // More than a connection buffers.
  const size = 7 * 1024 * 1024;
  let connections = 0;
  const { run } = await connectedTo((socket) => {
    if (++connections === 1) {
      socket.once('data', () => {
        socket.pause();
        socket.write(respond('503 Unavailable', {}), () => socket.resetAndDestroy());
      });
      return;
    }
    let received = 0;
    socket.on('data', (chunk) => {
      received += chunk.byteLength;
      if (received > size) socket.end(respond('200 OK', { emailId: 'em_1' }));
    });
  });
  const words = 'email send --from a@example.com --to b@example.com --subject Hi --text-file -';
  const outcome = await run(words, { stdin: 'a'.repeat(size) });
  expect(outcome).toMatchObject({ exitCode: 0, stdout: 'em_1\n' });
  expect(connections).toBe(2);
});

test('a service that switches to another protocol leaves the outcome unknown, with the key to repeat the request', async () => {
  const keys: string[] = [];
  const { run } = await connectedTo((socket) => {
    socket.on('data', (chunk) => {
      keys.push(/^idempotency-key: (\S+)/im.exec(chunk.toString())?.[1] ?? '');
      socket.write(
        'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
      );
    });
  });
  const words =
    'email send --from a@example.com --to b@example.org --subject Hi --text Hi --retries 0';
  const { exitCode, stdout, stderr } = await run(words);
  expect({ exitCode, stdout }).toEqual({ exitCode: 7, stdout: '' });
  expect(stderr).toContain(keys[0]);
  expect(keys).toEqual([expect.stringMatching(/./)]);
});
