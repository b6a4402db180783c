import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startRecorder } from '../../support/recorder.ts';
import { createWorld } from '../../support/run.ts';

const plain = ['--from', 'hello@example.com', '--to', 'a@b.c', '--subject', 'x', '--text', 'y'];

/** A world with a service that would accept the email, so that a wrong send is noticed. */
async function connected() {
  const recorder = await startRecorder({ body: { emailId: 'em_1' } });
  const env = { MAILER_BASE_URL: recorder.baseUrl, MAILER_API_KEY: 'us_key_of_the_test' };
  return { recorder, world: createWorld(env) };
}

test.each([
  ['--scheduled-at', 'a time is missing'],
  ['--attach', 'the name of the file is empty'],
  ['--idempotency-key', 'must have 1 to 256 characters'],
])('%s with the value of an unset variable sends nothing', async (flag, why) => {
  const { recorder, world } = await connected();
  const { exitCode, stderr } = await world.run(['email', 'send', ...plain, flag, '']);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(`${flag}: ${why}`);
  expect(recorder.requests).toEqual([]);
});

test('an endless file is not read for ever', async () => {
  const { recorder, world } = await connected();
  const words = ['email', 'send', ...plain.slice(0, 6), '--text-file', '/dev/zero'];
  const { exitCode, stderr } = await world.run(words);
  expect({ exitCode, stderr }).toEqual({
    exitCode: 2,
    stderr: 'Error: --text-file: /dev/zero has more than 64 MiB\n',
  });
  expect(recorder.requests).toEqual([]);
});

test('a file that is nested too deeply is an error', async () => {
  const { recorder, world } = await connected();
  const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
  writeFileSync(join(world.home, 'deep.json'), `{"to":"a@b.c","headers":${deep}}`);
  const { exitCode, stderr } = await world.run(
    'email send --file deep.json --from a@b.c --text x --subject y',
  );
  expect(exitCode).toBe(2);
  expect(stderr).toBe('Error: --file: deep.json is nested too deeply\n');
  expect(recorder.requests).toEqual([]);
});

test.each<[string, object, string]>([
  ['unknown fields', many(500), '"key19" and 480 more'],
  [
    'headers that are none',
    { headers: many(500) },
    // Only the first hundred are checked.
    'headers.key19: must be a string\nand 80 more',
  ],
])('a file of many %s does not fill the screen', async (_, fields, end) => {
  const { recorder, world } = await connected();
  writeFileSync(join(world.home, 'many.json'), JSON.stringify(fields));
  const { exitCode, stderr } = await world.run(['email', 'send', ...plain, '--file', 'many.json']);
  expect(exitCode).toBe(2);
  expect(stderr.replace(/\n *(--file: )?/g, '\n')).toContain(end);
  expect(stderr).not.toContain('key20');
  expect(recorder.requests).toEqual([]);
});

function many(count: number): Record<string, number> {
  return Object.fromEntries(Array.from({ length: count }, (_, nth) => [`key${nth}`, nth]));
}

test('an impossible id is not a usage error once the email is accepted', async () => {
  const recorder = await startRecorder({ body: { emailId: '../../x' } });
  const world = createWorld({ MAILER_BASE_URL: recorder.baseUrl, MAILER_API_KEY: 'us_key_1' });
  const { exitCode, stderr } = await world.run(['email', 'send', ...plain, '--wait']);
  expect(exitCode).toBe(8);
  expect(stderr).toContain('The email was accepted, but its id is invalid');
  expect(recorder.requests).toHaveLength(1);
});
