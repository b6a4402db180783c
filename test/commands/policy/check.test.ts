import { expect, test } from 'vitest';
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
  ['max-recipients', 'MAILER_MAX_RECIPIENTS', 'allows 0, not 1.'],
  ['max-per-day', 'MAILER_MAX_PER_DAY', 'allows 0, not 1 more.'],
])('tells what a send would if %s is 0', async (rule, place, why) => {
  const world = createWorld({ [place]: '0' });
  const { exitCode, stdout, stderr } = await world.run('policy check ana@example.com --json');
  expect({ exitCode, checked: JSON.parse(stdout) }).toMatchObject({
    exitCode: 2,
    checked: [{ allowed: false, rule, place }],
  });
  expect(stderr).toContain(`${rule} in ${place} ${why}`);
});
