import { join } from 'node:path';
import { expect, test } from 'vitest';
import { create } from '../../../commands/campaign/draft.ts';
import { connected, errorOf, fileIn } from '../../../support/connected.ts';
import { createWorld } from '../../../support/run.ts';

const team = 'team@example.org';
const env = { MAILER_REDIRECT_TO: team };
const note = `Redirected to ${team} by MAILER_REDIRECT_TO (redirect-to).\n`;
const accepted = { body: { emailId: 'email_1' } };
const content = '--from hello@example.com --subject Hi --text Hello';
const send = `email send --to ana@example.com ${content}`;

test.each(['', '--quiet'])(
  'a warning names the file that redirects, which may be in a cloned project: %s',
  async (flag) => {
    const { run, world, file } = await connected(accepted);
    file('.mailer.json', { policy: { redirectTo: team } });
    expect((await run(`${send} ${flag}`.trim())).stderr).toContain(
      `Warning: Redirected to ${team} by ${join(world.home, '.mailer.json')} (redirect-to).\n`,
    );
  },
);

test('there is one note for a message that becomes several emails', async () => {
  const { run, service } = await connected(accepted, accepted);
  const stdin = 'From: hello@example.com\nSubject: Hi\n\nHello\n';
  const { stderr } = await run('sendmail a@example.com b@example.com', { stdin, env });
  expect(service.requests).toHaveLength(2);
  expect(stderr).toBe(note);
});

test('on a terminal, the note is below what is moving', async () => {
  const { run } = await connected(accepted);
  expect((await run(send, { env, terminal: 100 })).stderr).toMatch(
    new RegExp(`${note.replaceAll(/[.()]/g, '\\$&')}$`),
  );
});

test('there is no note for an email that goes to that address anyway, nor if it does not leave', async () => {
  const { run } = await connected(accepted);
  const toTeam = await run(`email send --to ${team} ${content}`, { env });
  expect(toTeam).toMatchObject({ exitCode: 0, stderr: expect.not.stringContaining('Redirected') });
  const dry = await run(`${send} --dry-run`, { env });
  expect(dry).toMatchObject({ exitCode: 0, stderr: expect.not.stringContaining('Redirected to') });
});

test('with --json, stderr of a failed send has only the error', async () => {
  const { run } = await connected({ status: 400, body: { error: { message: 'No' } } });
  expect(errorOf(await run(`${send} --json`, { env })).code).toBe('rejected');
});

test('--wait of email send waits for the address of the redirect', async () => {
  const { stderr, exitCode } = await createWorld(env).run(`${send} --sandbox --wait`);
  expect(exitCode, stderr).toBe(0);
});

test('--wait of campaign test, too', async () => {
  const world = createWorld(env);
  await create(world, 'News');
  const words = 'campaign test News --to ana@example.com --sandbox --wait';
  const { stderr, exitCode } = await world.run(words);
  expect(exitCode, stderr).toBe(0);
});

test('--wait of email batch, and later of run resume, too', async () => {
  const world = createWorld(env);
  fileIn(world, 'people.csv', 'to\nana@example.com\nben@example.com\n');
  const batch = await world.run(`email batch people.csv ${content} --yes --sandbox --wait`);
  expect(batch.exitCode, batch.stderr).toBe(0);
  const [{ run }] = JSON.parse((await world.run('run list --json --sandbox')).stdout);
  const resumed = await world.run(`run resume ${run} --yes --sandbox --wait`);
  expect(resumed.exitCode, resumed.stderr).toBe(0);
});

test('a redirected run names that address, also when it is shown again', async () => {
  const world = createWorld();
  fileIn(world, 'people.csv', 'to\nana@example.com\n');
  const unconfirmed = `email batch people.csv ${content} --sandbox`;
  const { stderr } = await world.run(unconfirmed, { env });
  expect(stderr).toContain(`Send 1 email in 1 request, redirected to ${team}?`);
  const line = `${unconfirmed} --yes`;
  const outcome = `Accepted 1 of 1 email, redirected to ${team}.`;
  expect((await world.run(line, { env })).stderr).toContain(outcome);
  expect((await world.run(line, { env })).stderr).toContain(outcome);
  expect((await world.run(line)).stderr).toContain(
    `1 of 1 email is accepted (redirected to ${team}).`,
  );
});
