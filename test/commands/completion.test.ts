import { describe, expect, test } from 'vitest';
import { createWorld } from '../support/run.ts';

const shells = ['bash', 'zsh', 'fish', 'powershell'];

describe.each(shells)('completion %s', (shell) => {
  test('prints a script that calls the program at TAB only', async () => {
    const { exitCode, stdout, stderr } = await createWorld().run(['completion', shell]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout.match(/^# .*completion for mailer$/m)).not.toBeNull();
    expect(stdout.match(/mailer __complete/g)).toHaveLength(1);
    expect(stdout).toContain(`mailer __complete ${shell} `);
    expect(stdout.endsWith('\n')).toBe(true);
    expect(stdout.length).toBeLessThan(2000);
  });

  test('prints it whatever the account and its settings are', async () => {
    const { stdout: script } = await createWorld().run(['completion', shell]);
    const world = createWorld({ MAILER_PROFILE: 'nobody' });
    await world.run(['config', 'set', 'output', 'json'], { env: { MAILER_PROFILE: '' } });
    for (const words of [[], ['--no-color'], ['--no-input']]) {
      const outcome = await world.run(['completion', shell, ...words]);
      expect(outcome).toEqual({ exitCode: 0, stdout: script, stderr: '' });
    }
  });

  test('is JSON with --json', async () => {
    const world = createWorld();
    const { stdout: script } = await world.run(['completion', shell]);
    const { stdout } = await world.run(['completion', shell, '--json']);
    expect(JSON.parse(stdout)).toEqual({ shell, script });
  });
});

test.each([
  ['completion', 'Missing bash|zsh|fish|powershell'],
  ['completion tcsh', 'SHELL: "tcsh" is not one of bash, zsh, fish, powershell'],
  ['completion bash zsh', 'too many arguments'],
])('%s is a usage error that lists the shells', async (words, message) => {
  const { exitCode, stdout, stderr } = await createWorld().run(words);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toContain(message);
  if (!words.endsWith('zsh')) for (const shell of shells) expect(stderr).toContain(shell);
});
