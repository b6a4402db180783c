import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openLocalService } from '../../../src/local-service/data.ts';
import { markRunning } from '../../../src/local-service/sandbox-mark.ts';
import { serve } from '../../../src/sandbox/http/serve.ts';
import { createWorld } from '../../support/run.ts';

test('prints how to start a sandbox that is not served', async () => {
  const browser: string[] = [];
  const { exitCode, stdout, stderr } = await createWorld().run('sandbox open', { browser });
  expect({ exitCode, stdout, browser }).toEqual({ exitCode: 7, stdout: '', browser: [] });
  expect(stderr).toContain('Hint: Start it in another terminal: mailer sandbox start');
});

describe('the inbox of a sandbox that is served', () => {
  async function served() {
    const world = createWorld();
    const directory = join(world.home, '.local', 'share', 'mailer', 'sandbox');
    const sandbox = openLocalService({ directory, now: () => world.clock.now });
    const server = await serve({ fetch: sandbox.fetch, port: 0 });
    const { origin: url, url: baseUrl } = server;
    await markRunning(directory, { url, baseUrl });
    onTestFinished(async () => {
      await server.close();
      sandbox.close();
    });
    return { world, url, directory };
  }

  test('is opened for a person at a terminal', async () => {
    const { world, url } = await served();
    const browser: string[] = [];
    const outcome = await world.run('sandbox open', { browser, terminal: 80 });
    expect(outcome).toEqual({ exitCode: 0, stdout: `${url}\n`, stderr: '' });
    expect(browser).toEqual([url]);
  });

  test('is printed everywhere else', async () => {
    const { world, url } = await served();
    const browser: string[] = [];
    expect((await world.run('sandbox open', { browser })).stdout).toBe(`${url}\n`);
    const terminal = { browser, terminal: 80 };
    expect((await world.run('sandbox open --quiet', terminal)).stdout).toBe(`${url}\n`);
    const { stdout } = await world.run('sandbox open --json', terminal);
    expect(JSON.parse(stdout)).toEqual({ url });
    expect(browser).toEqual([]);
  });

  test('is that of the test account whose key is in the environment, once it is used', async () => {
    const { world, url } = await served();
    const env = { MAILER_API_KEY: 'us_sandbox_test_one' };
    expect((await world.run('sandbox open', { env })).stdout).toBe(`${url}\n`);
    await world.run('domain list --sandbox', { env });
    expect((await world.run('sandbox open', { env })).stdout).toBe(`${url}/accounts/one/\n`);
  });

  test('is printed if there is no browser', async () => {
    const { world, url } = await served();
    const { exitCode, stdout, stderr } = await world.run('sandbox open', { terminal: 80 });
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: `${url}\n` });
    expect(stderr).toBe('Warning: xdg-open could not be started. Open the page yourself.\n');
  });

  test.each(['file:///etc/passwd', 'javascript:alert(1)', '--help'])(
    'is none that a note of %s leads to',
    async (url) => {
      const { world, directory } = await served();
      await markRunning(directory, { url, baseUrl: url });
      const browser: string[] = [];
      expect(await world.run('sandbox open', { browser, terminal: 80 })).toMatchObject({
        exitCode: 7,
      });
      expect(browser).toEqual([]);
    },
  );
});
