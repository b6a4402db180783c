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

test('tells what a send would under a limit of no recipients', async () => {
  const world = createWorld({ MAILER_MAX_RECIPIENTS: '0' });
  const { exitCode, stdout, stderr } = await world.run('policy check ana@example.com --json');
  expect({ exitCode, checked: JSON.parse(stdout) }).toMatchObject({
    exitCode: 2,
    checked: [{ allowed: false, rule: 'max-recipients', place: 'MAILER_MAX_RECIPIENTS' }],
  });
  expect(stderr).toContain('max-recipients in MAILER_MAX_RECIPIENTS allows 0, not 1.');
});

test('a limit per day of 0 allows nobody', async () => {
  const world = createWorld({ MAILER_MAX_PER_DAY: '0' });
  const { exitCode, stdout, stderr } = await world.run('policy check ana@example.com --json');
  expect({ exitCode, checked: JSON.parse(stdout) }).toMatchObject({
    exitCode: 2,
    checked: [{ allowed: false, rule: 'max-per-day', place: 'MAILER_MAX_PER_DAY' }],
  });
  expect(stderr).toContain('max-per-day in MAILER_MAX_PER_DAY allows 0, not 1 more.');
});
