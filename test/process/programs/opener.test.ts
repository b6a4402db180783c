import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { worldOf } from '../../support/here.ts';
import { needing, notWindows } from '../../support/needs.ts';
import { patience } from '../../support/patience.ts';
import { createPlace } from '../../support/process.ts';
import { serveIn } from '../../support/serving.ts';
import { openTerminal } from '../../support/terminal.ts';

test(
  'pages are opened with the program of the system, which gets no key and no password',
  needing(notWindows),
  async () => {
    const place = createPlace();
    const { url } = await serveIn(worldOf(place));
    const browser = join(place.home, 'browser');
    const script = '#!/bin/sh\n{ echo "$1"; env; } >"$0.partly" && mv "$0.partly" "$0.told"\n';
    writeFileSync(browser, script);
    chmodSync(browser, 0o755);
    const env = {
      BROWSER: browser,
      MAILER_API_KEY: 'us_key_of_the_environment',
      MAILER_SANDBOX_SMTP_URL: 'smtps://ana:smtp_password@mail.example.com',
    };
    const told = async () => {
      await vi.waitFor(() => expect(existsSync(`${browser}.told`)).toBe(true), patience);
      return readFileSync(`${browser}.told`, 'utf8');
    };
    const terminal = openTerminal(place, 'mailer sandbox open', { env });
    expect([await terminal.end(), terminal.text()]).toEqual([0, url]);
    const address = await told();
    expect(address).toMatch(new RegExp(`^${url}/\n`));
    expect(address).toContain(`HOME=${place.home}\n`);
    expect(address).not.toMatch(/us_key_of_the_environment|smtp_password/);

    writeFileSync(`${browser}.told`, '');
    const get = 'email get email_welcome --sandbox --open';
    const { exitCode, stderr } = await place.run(get, { env });
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
    await vi.waitFor(async () => expect(await told()).not.toBe(''), patience);
    const [page = ''] = (await told()).split('\n');
    expect(readFileSync(page, 'utf8')).toContain('Welcome, Ben!');
    expect(await told()).not.toMatch(/us_key_of_the_environment|smtp_password/);
  },
);
