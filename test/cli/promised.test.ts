import { describe, expect, test } from 'vitest';
import { expectPromised } from '../support/promised.ts';
import { createWorld } from '../support/run.ts';

const request = (method: string, path: string) => {
  return { method, url: new URL(`http://sandbox.localhost/api${path}`), headers: {} };
};
const done = { requests: [], exitCode: 0, stdout: '' };

// Every other test that runs a command is checked in this way, too.
describe('a command that does what its file does not say', () => {
  test.each([
    ['email list', 'DELETE', '/v1/domains/1'],
    ['email list', 'POST', '/v1/contactBooks'],
    ['contact book create', 'POST', '/v1/emails'],
    ['config list', 'GET', '/v1/emails'],
  ])('%s with %s %s is found', async (line, method, path) => {
    const requests = [request(method, path)];
    await expect(expectPromised({ ...done, argv: line.split(' '), requests })).rejects.toThrow(
      `${line} sends ${method} /api${path}`,
    );
  });

  test('prints other JSON, which is found', async () => {
    const argv = ['domain', 'get', 'example.com', '--sandbox', '--json'];
    await expect(expectPromised({ ...done, argv, stdout: '{"id":[]}' })).rejects.toThrow(
      'none of its',
    );
  });
});

test('a command that does what its file says passes', async () => {
  const { exitCode } = await createWorld().run(
    'contact book delete book_customers --yes --sandbox',
  );
  expect(exitCode).toBe(0);
});
