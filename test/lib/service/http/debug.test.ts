import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { connected, key } from '../../../support/connected.ts';
import { createWorld, type Outcome } from '../../../support/run.ts';

/** A local port on which nothing listens. */
async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

/** What follows the request's last line on stderr. */
function afterRequest({ stderr }: Outcome): string[] {
  const lines = stderr.trimEnd().split('\n');
  return lines.slice(lines.findLastIndex((line) => /^[<>] /.test(line)) + 1);
}

test('--debug shows the cause of a failed connection once', async () => {
  const port = await closedPort();
  const url = `http://127.0.0.1:${port}/api`;
  const world = createWorld({ MAILER_API_KEY: key, MAILER_BASE_URL: url });
  const outcome = await world.run('email list --debug --retries 0');
  expect(outcome.exitCode).toBe(7);
  const [error, hint, cause, frame] = afterRequest(outcome);
  expect(error).toBe(`Error: 127.0.0.1:${port} refused the connection.`);
  expect(hint).toBe('Hint: To find the cause: mailer doctor');
  expect(cause).toBe(
    `Error: connect ECONNREFUSED 127.0.0.1:${port} (code ECONNREFUSED, syscall connect, address 127.0.0.1, port ${port})`,
  );
  expect(frame).toMatch(/^ {4}at /);
  expect(outcome.stderr.split('refused the connection')).toHaveLength(2);
});

test('--debug shows where an error without a cause occurred', async () => {
  const { run } = await connected({ status: 404, body: { error: { message: 'Not here' } } });
  const [error, hint, again, frame] = afterRequest(await run('email get em_1 --debug'));
  expect([error, hint]).toEqual(['Error: Not here', 'Hint: To list the emails: mailer email list']);
  expect([again, frame].join('\n')).toMatch(/^NotFoundError: Not here \(code not_found\)\n {4}at /);
});

test('--debug keeps the key out of causes, too', async () => {
  const { run } = await connected({ status: 404, body: { error: { message: `no ${key}` } } });
  const { stderr } = await run('email get em_1 --debug');
  expect(stderr).toContain('NotFoundError: no ***');
  expect(stderr).not.toContain(key);
});
