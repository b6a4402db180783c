import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openJournal } from '../../../src/lib/bulk/journal/journal-file.ts';
import { runsDirectory } from '../../support/batch-run.ts';
import { errorOf, fileIn, key } from '../../support/connected.ts';
import { startContactService, type Treatment } from '../../support/contact-service.ts';
import { startRecorder } from '../../support/recorder.ts';
import { createWorld } from '../../support/run.ts';

// One contact book under several URLs.

const otherKey = 'us_other_1234567890';
const people = 'email,first name\nana@example.org,Ana\nben@example.org,Ben\n';
const line = 'contact import people.csv --book Customers --yes --wait-timeout 3s';

async function setUp({ doubleOptIn = true } = {}) {
  const service = await startContactService({ doubleOptIn });
  const world = createWorld({ MAILER_API_KEY: key, MAILER_BASE_URL: service.baseUrl });
  fileIn(world, 'people.csv', people);
  const byName = { env: { MAILER_BASE_URL: service.baseUrl.replace('127.0.0.1', 'localhost') } };
  /** Expects that a line is declined without sending contacts, and returns its error. */
  const declined = async (
    words: string,
    options: Parameters<typeof world.run>[1],
    exitCode = 2,
  ) => {
    const before = service.posted().length;
    const outcome = await world.run(`${words} --json`, options);
    expect(outcome.exitCode).toBe(exitCode);
    expect(service.posted()).toHaveLength(before);
    return errorOf(outcome);
  };
  return { service, world, run: world.run, byName, declined };
}

/** The same with an import whose contacts have not arrived when it ends. */
async function stopped(options?: Parameters<typeof setUp>[0]) {
  const at = await setUp(options);
  at.service.state.stuck = true;
  expect((await at.run(line)).exitCode).toBe(10);
  at.service.state.stuck = false;
  return at;
}

const resumeIn = (hint: string | undefined) =>
  `${/mailer (run resume [^\n]*)/.exec(hint ?? '')?.[1] ?? ''} --yes`;

describe('two imports at the same time, under two URLs', () => {
  test.each([
    ['the same file', line],
    ['another file', line.replace('people', 'others')],
    ['a sync', line.replace('import', 'sync')],
  ])('into a book with double opt-in ask nobody twice: %s', async (_, other) => {
    const { service, world, run, byName, declined } = await setUp();
    fileIn(world, 'others.csv', people.replace('ana', 'Ana'));
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const { promise: sends, resolve: sent } = Promise.withResolvers<void>();
    service.state.treat = async ({ method }): Promise<Treatment> => {
      if (method === 'POST') {
        sent();
        await held;
      }
      return 'answered';
    };
    const first = run(line);
    await sends;
    const { message, hint } = await declined(other, byName, 5).finally(release);
    expect(message).toContain('Another process is importing into Customers.');
    expect(hint).toContain('Nothing was sent.');
    expect(await first).toMatchObject({ exitCode: 0 });
    expect(await run(other, byName)).toMatchObject({ exitCode: 0 });
    expect([...service.confirmations.values()]).toEqual([1, 1]);
  });
});

describe('an import that stopped', () => {
  test('is not started again at another URL; it is resumed there', async () => {
    const { service, run, byName, declined } = await stopped();
    const { message, hint } = await declined(line, byName);
    expect(message).toBe(
      `This run was started with this API key at ${service.baseUrl}; the base URL in use is ${byName.env.MAILER_BASE_URL}. Both may lead to the same account.`,
    );
    expect(hint).toMatch(
      /^Nothing was sent this time; 0 of 2 contacts are known to be in the book so far, 2 may still arrive\.\nIf it is the same account, this sends the rest:\nmailer run resume [0-9a-f]{8} --base-url http:\/\/localhost:\d+\/api$/,
    );
    expect(await run(resumeIn(hint))).toMatchObject({ exitCode: 0 });
    expect(await run(line, byName)).toMatchObject({ exitCode: 0 });
    expect([...service.confirmations.values()]).toEqual([1, 1]);
  });

  test('keeps another file from being imported at another URL or with another key', async () => {
    const { service, world, byName, declined } = await stopped();
    fileIn(world, 'others.csv', `${people}cy@example.org,Cy\n`);
    const other = line.replace('people', 'others');
    const env = { MAILER_API_KEY: otherKey };
    for (const options of [byName, { env }, { env: { ...env, ...byName.env } }]) {
      const { message } = await declined(other, options);
      expect(message).toContain('Another import into Customers is not complete');
    }
    expect(service.posted()).toHaveLength(1);
  });

  test('is not started again with another key; it is resumed with it', async () => {
    const { service, run, declined } = await stopped();
    const other = { env: { MAILER_API_KEY: otherKey } };
    const { message, hint } = await declined(line, other);
    expect(message).toContain('was started with another API key');
    expect(await run(resumeIn(hint), other)).toMatchObject({ exitCode: 0 });
    expect([...service.confirmations.values()]).toEqual([1, 1]);
  });

  test('is not replaced by one at another URL if nobody is asked, either', async () => {
    const { world, run, byName, declined } = await stopped({ doubleOptIn: false });
    await declined(line, byName);
    fileIn(world, 'people.csv', people.replace('Ana', 'Anna'));
    expect(await run(line, byName)).toMatchObject({ exitCode: 0 });
    const { stdout } = await run('run list --json');
    expect(JSON.parse(stdout)).toHaveLength(2);
  });
});

test('a complete import is compared again at another URL, because the book says what is in it', async () => {
  const { service, run, byName } = await setUp();
  expect(await run(line)).toMatchObject({ exitCode: 0 });
  const { exitCode, stdout } = await run(`${line} --json`, byName);
  expect({ exitCode, shown: JSON.parse(stdout) }).toMatchObject({
    exitCode: 0,
    shown: { new: 0, unchanged: 2 },
  });
  expect(service.posted()).toHaveLength(1);
});

test('a changed journal does not lead the key of an import elsewhere', async () => {
  const { world, run } = await stopped();
  const { baseUrl, requests } = await startRecorder();
  const name = (await run('run list -q')).stdout.trim();
  const journal = openJournal(join(runsDirectory(world), name, 'journal.sqlite'), { check: true });
  const header = JSON.parse(journal.meta('run') ?? '');
  const account = { ...header.account, services: [baseUrl] };
  const changed = { ...header, baseUrl, account, line: { common: { baseUrl }, sending: {} } };
  journal.setMeta('run', JSON.stringify(changed));
  journal.close();
  const { exitCode, stderr } = await run(`run resume ${name} --yes`);
  expect(exitCode).toBe(2);
  expect(stderr).toContain('its base URL and its results file are not used');
  expect(requests).toEqual([]);
});
