import { expect, test } from 'vitest';
import { createWorld } from '../../support/run.ts';

test.each([
  [{}, 'No rules: anybody may be mailed.\n'],
  [{ MAILER_ALLOW_TO: '*@example.com' }, ''],
  [
    { MAILER_ALLOW_TO: '*@example.com', MAILER_MAX_PER_DAY: '2000' },
    'An email is sent only if all rules allow it.\nMailed today, in UTC: 0 of 2,000 (MAILER_MAX_PER_DAY).\n',
  ],
])('tells that all rules apply only if there are several: %o', async (env, note) => {
  const { exitCode, stderr } = await createWorld(env).run('policy show');
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: note });
});
