import { connect } from 'node:net';
import { expect, test, vi } from 'vitest';
import { runHere } from '../../support/here.ts';
import { patience } from '../../support/patience.ts';
import { createPlace } from '../../support/process.ts';
import { clientOf } from '../../support/senders.ts';
import { serveSandbox } from '../../support/served.ts';

/** Eight clients that send until there is no response, which is no error after `stop` is called. */
function sendUntilStopped({ send }: ReturnType<typeof clientOf>) {
  let stopped = false;
  const begun = Promise.withResolvers<void>();
  const worker = async (_: unknown, name: number) => {
    for (let index = 0; ; index++) {
      try {
        await send({ key: `${name}-${index}` });
        if (index === 5) begun.resolve();
      } catch (error) {
        if (stopped) return;
        begun.reject(error);
        throw error;
      }
    }
  };
  return {
    begun: begun.promise,
    gone: Promise.all(Array.from({ length: 8 }, worker)),
    stop() {
      stopped = true;
    },
  };
}

/** A connection, what it has heard, and its end. */
function connection(port: number) {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  let heard = '';
  socket.on('data', (chunk) => {
    heard += String(chunk);
  });
  return {
    write: (text: string) => socket.write(text),
    hears: (text: string) => vi.waitFor(() => expect(heard).toContain(text), patience),
    closed: new Promise((resolve) => socket.once('close', resolve)),
  };
}

test('Ctrl-C under load ends it with 130: it closes every connection, and prints and stores nothing more', async () => {
  const place = createPlace();
  const flags = ['--port', '0', '--smtp-port', '0', '--fault', 'GET /v1/domains delay 1h'];
  const served = await serveSandbox(place, flags);
  const idle = connection(served.port);
  // Until it sends a byte, the system may not have passed the connection to the program.
  idle.write('GET / HTTP/1.1\r\n');
  const mail = connection(served.smtpPort);
  await mail.hears('220 ');
  mail.write('EHLO a\r\nMAIL FROM:<a@b.example>\r\nRCPT TO:<c@d.example>\r\nDATA\r\n');
  await mail.hears('354 ');
  mail.write('Subject: Half\r\n\r\nHi');
  const listing = runHere(place, 'domain list --retries 0', { env: served.env });
  await vi.waitFor(async () => {
    const control = await (await fetch(`${served.url}/control`)).json();
    expect(control).toMatchObject({ faults: [{ used: 1 }] });
  }, patience);
  const load = sendUntilStopped(clientOf(served));
  await load.begun;
  load.stop();
  served.process.kill('SIGINT');
  const { exitCode, stderr } = await served.process;
  expect(exitCode).toBe(130);
  expect(stderr).toMatch(
    /^The sandbox is running; .*\nInbox: .*\nSMTP: .*\nFaults are on: .*\nCtrl-C stops it\.\n$/,
  );
  await Promise.all([idle.closed, mail.closed, load.gone]);
  expect((await listing).exitCode).toBe(7);
  expect((await runHere(place, 'sandbox status --quiet')).stdout).toBe('stopped\n');
  const list = await runHere(place, 'email list --sandbox --all --fields subject');
  expect(list.stdout).not.toContain('Half');
});
