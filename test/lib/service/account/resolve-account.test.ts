import { describe, expect, test } from 'vitest';
import { AuthError, NotFoundError, UsageError } from '../../../../src/lib/base/errors.ts';
import type { Config } from '../../../../src/lib/service/account/config/config-types.ts';
import {
  type AccountOptions,
  resolveAccount,
} from '../../../../src/lib/service/account/resolve-account.ts';

const keys = {
  default: 'us_default_0123456789',
  work: 'us_work_0123456789',
  env: 'us_env_0123456789',
};
const urls = {
  default: 'https://default.example/api',
  work: 'https://work.example/api',
  env: 'https://env.example/api',
  flag: 'https://flag.example/api',
};
const both: Config = {
  currentProfile: 'default',
  profiles: {
    default: { baseUrl: urls.default, apiKey: keys.default, settings: { from: 'd@example.com' } },
    work: { baseUrl: urls.work, apiKey: keys.work, settings: { from: 'w@example.com' } },
    settingsOnly: { settings: { from: 's@example.com' } },
  },
};

function resolve(
  options: {
    flags?: AccountOptions['flags'];
    env?: AccountOptions['env'];
    config?: Config;
    runShell?: AccountOptions['runShell'];
  } = {},
) {
  const warnings: string[] = [];
  const account = resolveAccount({
    flags: options.flags ?? {},
    env: options.env ?? {},
    config: options.config ?? both,
    runShell: options.runShell ?? (() => Promise.reject(new Error('not to be run'))),
    warn: (text) => warnings.push(text),
  });
  return { account, warnings };
}

function profileWith(profile: Config['profiles'][string]): Config {
  return { currentProfile: 'default', profiles: { default: profile } };
}

describe('precedence: flag, environment, profile', () => {
  const env = { MAILER_API_KEY: keys.env, MAILER_BASE_URL: urls.env };

  test.each([
    ['nothing but profiles', {}, {}, 'default', urls.default, keys.default],
    ['the environment', {}, env, 'default', urls.env, keys.env],
    [
      'a key in the environment',
      {},
      { MAILER_API_KEY: keys.env },
      'default',
      urls.default,
      keys.env,
    ],
    ['a profile in the environment', {}, { MAILER_PROFILE: 'work' }, 'work', urls.work, keys.work],
    ['that, and a key', {}, { ...env, MAILER_PROFILE: 'work' }, 'work', urls.env, keys.env],
    [
      'a flag against a profile in the environment',
      { profile: 'work' },
      { MAILER_PROFILE: 'default' },
      'work',
      urls.work,
      keys.work,
    ],
    [
      'a URL by flag against the environment',
      { baseUrl: urls.flag },
      env,
      'default',
      urls.flag,
      keys.env,
    ],
    [
      'a profile by flag against the environment',
      { profile: 'work' },
      env,
      'work',
      urls.work,
      keys.work,
    ],
    [
      'a profile of settings by flag',
      { profile: 'settingsOnly' },
      env,
      'settingsOnly',
      urls.env,
      keys.env,
    ],
    [
      'empty values',
      { profile: '', baseUrl: ' ' },
      { MAILER_API_KEY: '', MAILER_BASE_URL: '', MAILER_PROFILE: '' },
      'default',
      urls.default,
      keys.default,
    ],
  ])('%s', async (_, flags, environment, profile, url, key) => {
    const { account } = resolve({ flags, env: environment });
    expect(account.profile).toBe(profile);
    expect(account.baseUrl).toBe(url);
    expect(account.service()).toBe(url);
    expect(await account.key()).toBe(key);
  });

  test('what --profile overrides is reported once, if it matters', () => {
    const warned = (flags: AccountOptions['flags'], environment: Record<string, string>) => {
      const { account, warnings } = resolve({ flags, env: environment });
      expect(warnings).toEqual([]);
      account.service();
      account.service();
      return warnings;
    };
    expect(warned({ profile: 'work' }, env)).toEqual([
      'MAILER_API_KEY and MAILER_BASE_URL are ignored: --profile work takes precedence.',
    ]);
    expect(warned({ profile: 'work' }, { MAILER_API_KEY: keys.env })).toEqual([
      'MAILER_API_KEY is ignored: --profile work takes precedence.',
    ]);
    expect(warned({ profile: 'work', baseUrl: urls.work }, { MAILER_BASE_URL: urls.env })).toEqual(
      [],
    );
    expect(warned({ profile: 'settingsOnly' }, env)).toEqual([]);
    expect(warned({}, { ...env, MAILER_PROFILE: 'work' })).toEqual([]);
  });

  test('a profile without a key uses that of the environment, unless it has its own URL', async () => {
    const config: Config = {
      currentProfile: 'default',
      profiles: { work: { baseUrl: urls.work } },
    };
    const flags = { profile: 'work' };
    const alone = resolve({ config, flags, env: { MAILER_API_KEY: keys.env } });
    expect(await alone.account.key()).toBe(keys.env);
    expect(alone.account.service()).toBe(urls.work);
    const withUrl = resolve({ config, flags, env });
    await expect(withUrl.account.key()).rejects.toThrow('There is no API key.');
  });

  test('the sources of values are named', () => {
    const sources = (options: Parameters<typeof resolve>[0]) => {
      const { account } = resolve(options);
      return [account.baseUrlSource, account.keySource];
    };
    expect(sources({})).toEqual(['profile default', 'profile default']);
    expect(sources({ env })).toEqual(['MAILER_BASE_URL', 'MAILER_API_KEY']);
    expect(sources({ flags: { baseUrl: urls.flag } })).toEqual(['--base-url', 'profile default']);
    expect(sources({ config: { currentProfile: 'default', profiles: {} } })).toEqual([
      undefined,
      undefined,
    ]);
    expect(sources({ config: profileWith({ baseUrl: urls.work, keyCommand: 'pass' }) })).toEqual([
      'profile default',
      'key command of profile default',
    ]);
  });
});

describe('a profile that does not exist', () => {
  test.each([
    [{ flags: { profile: 'wrok' } }],
    [{ env: { MAILER_PROFILE: 'wrok' } }],
    [{ flags: { profile: 'wrok', baseUrl: urls.flag }, env: { MAILER_API_KEY: keys.env } }],
  ])('%o: the error lists those there are', async (options) => {
    const { account } = resolve(options);
    expect(() => account.service()).toThrow(NotFoundError);
    expect(() => account.baseUrl).toThrow('There is no profile "wrok".');
    await expect(account.key()).rejects.toMatchObject({
      details: { hint: 'Profiles: default, settingsOnly, work' },
    });
  });

  test('names of object properties are not profiles', () => {
    for (const profile of ['constructor', '__proto__', 'toString']) {
      expect(() => resolve({ flags: { profile } }).account.service()).toThrow(NotFoundError);
    }
  });
});

describe('what is missing', () => {
  const none: Config = { currentProfile: 'default', profiles: {} };

  test('neither key nor URL: not logged in', async () => {
    const { account } = resolve({ config: none });
    expect(() => account.service()).toThrow(AuthError);
    await expect(account.key()).rejects.toMatchObject({
      exitCode: 3,
      details: { hint: expect.stringMatching(/mailer login.*--sandbox/) },
    });
  });

  test('a URL without a key', async () => {
    const { account } = resolve({ config: none, flags: { baseUrl: urls.flag } });
    expect(account.service()).toBe(urls.flag);
    await expect(account.key()).rejects.toThrow(AuthError);
  });

  test('a key without a URL', async () => {
    const { account } = resolve({ config: none, env: { MAILER_API_KEY: keys.env } });
    expect(account.baseUrl).toBeUndefined();
    expect(() => account.service()).toThrow(UsageError);
    await expect(account.key()).rejects.toThrow('There is no base URL');
  });
});

describe('a key goes only to the origin it was stored for', () => {
  test.each([
    [urls.default, true],
    ['https://default.example/other/path', true],
    ['https://default.example:443/api', true],
    ['https://default.example:8443/api', false],
    ['http://default.example/api', false],
    ['https://sub.default.example/api', false],
    ['https://default.example.evil.example/api', false],
    [urls.flag, false],
  ])('--base-url %s: %s', async (baseUrl, goes) => {
    const { account } = resolve({ flags: { baseUrl, allowHttp: true } });
    if (goes) expect(await account.key()).toBe(keys.default);
    else {
      await expect(account.key()).rejects.toThrow(
        `The key of profile default is for https://default.example; it was not sent to ${new URL(baseUrl).origin}.`,
      );
    }
  });

  test('also with a URL in the environment', async () => {
    const { account } = resolve({ env: { MAILER_BASE_URL: urls.env } });
    const error = await account.key().catch((error: unknown) => error);
    expect(error).toBeInstanceOf(AuthError);
    expect(error).toMatchObject({ details: { hint: expect.stringContaining('MAILER_API_KEY') } });
  });

  test('a key stored without a service is not sent', async () => {
    const config = profileWith({ apiKey: keys.default });
    const { account } = resolve({ config, env: { MAILER_BASE_URL: urls.env } });
    await expect(account.key()).rejects.toThrow('has no base URL');
  });

  test('its key command is not run', async () => {
    const config = profileWith({ baseUrl: urls.default, keyCommand: 'pass show mailer' });
    const { account } = resolve({ config, flags: { baseUrl: urls.flag } });
    await expect(account.key()).rejects.toThrow('it was not sent to https://flag.example');
  });

  test('a key in the environment is sent to the URL in use', async () => {
    const { account } = resolve({
      env: { MAILER_API_KEY: keys.env },
      flags: { baseUrl: urls.flag },
      config: profileWith({ baseUrl: 'no URL', apiKey: keys.default }),
    });
    expect(await account.key()).toBe(keys.env);
  });
});

describe('a key goes over https only', () => {
  test.each([
    ['http://localhost:3000/api', true],
    ['http://mail.localhost/api', true],
    ['http://127.0.0.1:3000', true],
    ['http://127.255.0.9', true],
    ['http://2130706433', true],
    ['http://[::1]:3000/api', true],
    ['http://127.0.0.1.example/api', false],
    ['http://localhost.example/api', false],
    ['http://notlocalhost/api', false],
    ['http://192.168.0.1/api', false],
    ['http://mail.example/api', false],
  ])('%s: %s', async (baseUrl, goes) => {
    const { account } = resolve({ env: { MAILER_API_KEY: keys.env }, flags: { baseUrl } });
    if (goes) expect(await account.key()).toBe(keys.env);
    else {
      await expect(account.key()).rejects.toMatchObject({
        exitCode: 3,
        details: { hint: expect.stringContaining('--allow-http') },
      });
    }
  });

  test('or http if a flag allows it', async () => {
    const { account } = resolve({
      env: { MAILER_API_KEY: keys.env },
      flags: { baseUrl: 'http://mail.example', allowHttp: true },
    });
    expect(await account.key()).toBe(keys.env);
  });

  test('or http if the profile allows it, for its own service only', async () => {
    const config = profileWith({
      baseUrl: 'http://mail.example',
      apiKey: keys.default,
      allowHttp: true,
    });
    expect(await resolve({ config }).account.key()).toBe(keys.default);
    const { account } = resolve({
      config,
      env: { MAILER_API_KEY: keys.env, MAILER_BASE_URL: 'http://other.example' },
    });
    await expect(account.key()).rejects.toThrow('plain http');
  });
});

describe('a key command', () => {
  const config = profileWith({ baseUrl: urls.default, keyCommand: 'pass show mailer' });
  const printing = (stdout: string, exitCode = 0) => {
    const commandLines: string[] = [];
    const runShell = async (commandLine: string) => {
      commandLines.push(commandLine);
      return { stdout, exitCode };
    };
    return { commandLines, ...resolve({ config, runShell }) };
  };

  test('its first line is the key; it runs once, and only when the key is needed', async () => {
    const { account, commandLines } = printing(`  ${keys.default}  \nuser: ana\n`);
    account.service();
    expect(commandLines).toEqual([]);
    expect(await Promise.all([account.key(), account.key()])).toEqual([keys.default, keys.default]);
    expect(commandLines).toEqual(['pass show mailer']);
  });

  test('a failure is reported with its exit code, without its output', async () => {
    const error = await printing(keys.default, 7)
      .account.key()
      .catch((error: unknown) => error);
    expect(error).toBeInstanceOf(AuthError);
    expect(String(error)).toContain('failed with exit code 7');
    expect(JSON.stringify(error)).not.toContain(keys.default);
  });

  test('an empty output is an error', async () => {
    await expect(printing(' \n').account.key()).rejects.toThrow(AuthError);
  });

  test('a command that cannot be run is an error', async () => {
    const { account } = resolve({ config });
    await expect(account.key()).rejects.toThrow(
      'The key command of profile default could not be run.',
    );
  });
});

test('a key that a header cannot contain is an error that does not show it', async () => {
  for (const bad of ['us_first\nus_second', 'Bearer us_0123456789', 'ключ', 'x'.repeat(4097)]) {
    const { account } = resolve({ env: { MAILER_API_KEY: bad } });
    const error = await account.key().catch((error: unknown) => error);
    expect(error).toBeInstanceOf(UsageError);
    expect(String(error)).not.toContain(bad.slice(0, 8));
  }
});
