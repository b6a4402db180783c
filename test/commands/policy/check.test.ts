import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { connected } from '../../support/connected.ts';
import { createWorld } from '../../support/run.ts';

test('shows for each address whether it may be mailed: 2 if one may not', async () => {
  const world = createWorld({
    MAILER_ALLOW_TO: '*@example.com',
    MAILER_DENY_TO: 'ceo@example.com',
  });
  const { exitCode, stdout } = await world.run(
    'policy check ana@example.com CEO@Example.com ben@example.org --json',
  );
  expect({ exitCode, checked: JSON.parse(stdout) }).toMatchObject({
    exitCode: 2,
    checked: [
      { address: 'ana@example.com', allowed: true, rule: null, place: null },
      { allowed: false, rule: 'deny-to', place: 'MAILER_DENY_TO' },
      { allowed: false, rule: 'allow-to', place: 'MAILER_ALLOW_TO' },
    ],
  });
});

test('prints with --quiet only the allowed addresses', async () => {
  const world = createWorld({ MAILER_ALLOW_TO: '*@example.com' });
  expect(await world.run('policy check ana@example.com --quiet')).toMatchObject({
    exitCode: 0,
    stdout: 'ana@example.com\n',
  });
});

test.each([
  ['max-recipients', 'MAILER_MAX_RECIPIENTS', 'allows 0 recipients per command, not 1.'],
  ['max-per-day', 'MAILER_MAX_PER_DAY', 'allows 0 recipients per day (UTC)'],
])('tells what a send would if %s is 0', async (rule, place, why) => {
  const world = createWorld({ [place]: '0' });
  const { exitCode, stdout, stderr } = await world.run('policy check ana@example.com --json');
  expect({ exitCode, checked: JSON.parse(stdout) }).toMatchObject({
    exitCode: 2,
    checked: [{ allowed: false, rule, place }],
  });
  expect(stderr).toContain(`${rule} in ${place} ${why}`);
});

test('counts what was mailed today, and neither counts nor creates anything itself', async () => {
  const { world, run } = await connected({ body: { emailId: 'email_1' } });
  const env = { MAILER_MAX_PER_DAY: '2' };
  const state = join(world.home, '.local');
  const check = async () => await run('policy check ana@example.com', { env });
  expect(await check()).toMatchObject({ exitCode: 0 });
  expect(existsSync(state)).toBe(false);

  const send =
    'email send --to ana@example.com --cc b@example.com --from c@example.com --subject S';
  expect(await run(`${send} --text T`, { env })).toMatchObject({ exitCode: 0 });
  const counts = () => readFileSync(join(state, 'state', 'mailer', 'mailed', 'mailed.sqlite'));
  const before = counts();
  const { exitCode, stderr } = await check();
  expect(exitCode).toBe(2);
  expect(stderr).toBe(
    'Error: max-per-day in MAILER_MAX_PER_DAY allows 2 recipients per day (UTC); 2 were mailed today, so 1 more is too many.\nHint: To see all rules: mailer policy show\n',
  );
  expect(counts()).toEqual(before);
  world.clock.advance(24 * 60 * 60 * 1000);
  expect(await check()).toMatchObject({ exitCode: 0 });
});

test('names the address of a redirect once, however many it replaces', async () => {
  const world = createWorld({ MAILER_REDIRECT_TO: 'me@example.net', MAILER_DENY_TO: '*@*' });
  const { stderr } = await world.run('policy check ana@example.com ben@example.org');
  expect(stderr).toContain('Error: me@example.net: deny-to in MAILER_DENY_TO denies this.');
});

test('allows nobody if two places redirect to different addresses, as a send does', async () => {
  const world = createWorld({ MAILER_REDIRECT_TO: 'me@example.net' });
  await world.run('policy set --redirect-to you@example.net');
  const { exitCode, stdout, stderr } = await world.run('policy check ana@example.com --json');
  expect(JSON.parse(stdout)).toEqual([
    {
      ...{ address: 'ana@example.com', allowed: false, redirectedTo: null },
      ...{ rule: 'redirect-to', place: 'profile default', approval: null },
    },
  ]);
  const send = 'email send --to ana@example.com --from b@example.com --subject S --text T --json';
  const sent = await world.run(`${send} --sandbox`);
  const errorIn = (text: string) => JSON.parse(text).error;
  const { message } = errorIn(stderr);
  expect([exitCode, message]).toEqual([sent.exitCode, errorIn(sent.stderr).message]);
  expect(message).toBe(
    'redirect-to in profile default differs from the one in MAILER_REDIRECT_TO.',
  );
});
