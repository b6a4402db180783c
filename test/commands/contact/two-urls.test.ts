import { describe, expect, test } from 'vitest';
import { errorOf, fileIn, key } from '../../support/connected.ts';
import { startContactService, type Treatment } from '../../support/contact-service.ts';
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
  test.each([
    ['another URL', true, {}],
    ['another key', false, { MAILER_API_KEY: otherKey }],
    ['both', true, { MAILER_API_KEY: otherKey }],
  ])('asks nobody again with %s, in the same file or another one', async (_, named, key) => {
    const { service, world, run, byName } = await stopped();
    const options = { env: { ...(named ? byName.env : {}), ...key } };
    fileIn(world, 'others.csv', `${people}cy@example.org,Cy\n`);
    service.state.stuck = true;
    expect(await run(line, options)).toMatchObject({ exitCode: 10 });
    expect(await run(line.replace('people', 'others'), options)).toMatchObject({ exitCode: 10 });
    expect(service.posted().map((sent) => sent.map(({ email }) => email))).toEqual([
      ['ana@example.org', 'ben@example.org'],
      ['cy@example.org'],
    ]);
    service.state.stuck = false;
    expect(await run(line, options)).toMatchObject({ exitCode: 0 });
    expect([...service.confirmations.values()]).toEqual([1, 1, 1]);
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
