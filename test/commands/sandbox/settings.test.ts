import { describe, expect, test } from 'vitest';
import { createWorld } from '../../support/run.ts';

const mail = 'From: root\nTo: root\nSubject: s\n\nHi\n';

async function worldWith(...settings: readonly (readonly [string, string])[]) {
  const world = createWorld();
  for (const [name, value] of settings) await world.run(['config', 'set', name, value]);
  return world;
}

describe('with --sandbox, settings about this machine and its user hold', () => {
  test('local-mail-to', async () => {
    const world = await worldWith(['local-mail-to', 'ops@example.com']);
    const words = 'sendmail -t --from hello@example.com --sandbox';
    expect(await world.run(words, { stdin: mail })).toMatchObject({ exitCode: 0 });
    const { stdout } = await world.run('email list --sandbox --fields to --no-header --limit 1');
    expect(stdout).toBe('ops@example.com\n');
  });

  test('timezone', async () => {
    const world = await worldWith(['timezone', 'Asia/Tokyo']);
    const { stdout } = await world.run([
      ...'email send --sandbox --from hello@example.com --to ana@example.org --subject s'.split(
        ' ',
      ),
      ...['--text', 't', '--scheduled-at', '2027-01-01 09:00', '--dry-run'],
    ]);
    expect(stdout).toContain('"scheduledAt": "2027-01-01T00:00:00Z"');
  });

  test('output', async () => {
    const world = await worldWith(['output', 'json']);
    const { stdout } = await world.run('domain list --sandbox', { terminal: 80 });
    expect(JSON.parse(stdout)).toBeInstanceOf(Object);
  });
});

describe('settings about the account do not, and errors name the flag', () => {
  test('from of email send', async () => {
    const world = await worldWith(['from', 'hello@example.com']);
    const words = 'email send --sandbox --to ana@example.org --subject s --text t';
    expect(await world.run(words)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining(
        'Error: Missing --from\nHint: The setting from does not apply with --sandbox',
      ),
    });
  });

  test('from of sendmail', async () => {
    const world = await worldWith(
      ['from', 'hello@example.com'],
      ['local-mail-to', 'a@example.org'],
    );
    const { exitCode, stderr } = await world.run('sendmail -t --sandbox', { stdin: mail });
    expect(exitCode).toBe(78);
    expect(stderr).toContain('Hint: Name one with --from');
    expect(stderr).not.toContain('config set from');
  });
});
