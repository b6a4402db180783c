import { expect, test } from 'vitest';
import { createWorld } from '../support/run.ts';

test.each([
  'email send --from a@example.com --to b@example.org --subject Hi --text Hello',
  'campaign create --name N --from a@example.com --subject Hi --book b --content {}',
  'contact update contact_ana --book book_customers --subscribed',
])('an empty --file counts as absent: %s', async (line) => {
  const { run } = createWorld();
  const given = await run([...line.split(' '), '--file', '', '--dry-run']);
  expect(given.exitCode).toBe(0);
  expect(given).toEqual(await run(`${line} --dry-run`));
});
