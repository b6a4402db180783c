import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { manifest } from '../../src/commands/manifest.ts';
import { connected, errorOf } from '../support/connected.ts';
import { createMachine, type Machine } from '../support/sample-machine.ts';
import { samples } from '../support/samples.ts';

/** Commands that serve, or print one text in every format. */
const withoutJson = /^(completion|sandbox (start|open))$/;

/** Commands that change only the sandbox's data, or whose sample has been carried out before. */
const unseen = /^(sandbox (advance|reset|seed)|run resume|profile use)$/;

const usual = samples.filter(({ command }) => !withoutJson.test(command));

/** What a command line can change: requests that were accepted and do not only read, and files. */
async function changeable({ run, world }: Machine): Promise<string> {
  const { stdout } = await run('sandbox logs --jsonl');
  const requests = stdout
    .split('\n')
    .filter((line) => /"method":"(?!GET).*"status":2/.test(line) && !line.includes('/preview'));
  const files = readdirSync(world.home, { recursive: true, encoding: 'utf8' })
    .filter((path) => !/\.sqlite|\.cache/.test(path))
    .filter((path) => statSync(join(world.home, path)).isFile())
    .map((path) => `${path}: ${readFileSync(join(world.home, path), 'base64')}`);
  return JSON.stringify([requests.length, files]);
}

describe('a result that cannot be written', () => {
  test.each(usual)(
    'is 12 after something was changed, else 2: $command $case',
    async ({ command, line, stdin, exitCode }) => {
      const machine = await createMachine();
      const words = `${await line(machine)} --json`;
      const before = await changeable(machine);
      const outcome = await machine.run(words, { stdin, fullDisk: true });
      const changed = unseen.test(command) || (await changeable(machine)) !== before;
      const told = changed ? (command === 'sendmail' ? 0 : exitCode || 12) : 2;
      expect({ ...outcome, exitCode: outcome.exitCode }).toMatchObject({ exitCode: told });
      expect(outcome.stderr).toContain('stdout cannot be written: no space is left on the disk');
      if (told !== 12) return;
      const { code, message, ids, run, hint } = errorOf(outcome);
      expect(code).toBe('output_failed');
      expect(message).toContain(' The result cannot be shown: stdout cannot be written');
      expect(ids ?? run ?? hint ?? message.split(' The result')[0]).toMatchObject(/./);
    },
  );

  const content = '--to ana@example.org --from hello@example.com --subject Hi --text Hello';
  const send = `email send ${content}`;

  test('has the ids of what was accepted', async () => {
    const { run } = await connected({ body: { emailId: 'em_1' } });
    const failed = await run(`${send} --jq .emailId[]`);
    expect(failed.exitCode).toBe(12);
    expect(errorOf(failed)).toMatchObject({
      code: 'output_failed',
      message:
        'The command was carried out: em_1. The result cannot be shown: --jq: Cannot iterate over string ("em_1")',
      hint: expect.stringMatching(/^Do not run the command again\.\n.*email get em_1/),
      ids: ['em_1'],
    });
  });

  test('of api has the id in the response', async () => {
    const { run } = await connected({ body: { id: 'book_1' } });
    const failed = await run('api POST /v1/contactBooks -f name=News --jq .id[]');
    expect(failed.exitCode).toBe(12);
    expect(errorOf(failed).ids).toEqual(['book_1']);
    const asCsv = await (await connected({ body: '5' })).run(
      'api POST /v1/contactBooks -f name=News --csv',
    );
    expect(asCsv).toMatchObject({ exitCode: 12, stdout: '' });
    expect(asCsv.stderr).toContain('The request was accepted.');
  });

  test('of a run names the command that shows it', async () => {
    const { run } = await connected({ body: { data: [{ emailId: 'em_1' }] } });
    const row = { to: 'a@b.example', from: 'hello@example.com', subject: 'S', text: 'T' };
    const stdin = JSON.stringify([row]);
    const { exitCode, stderr } = await run('email batch - --yes', { stdin, fullDisk: true });
    expect(exitCode).toBe(12);
    expect(stderr).toMatch(/^Error: Accepted 1 of 1 email\. The result cannot be shown: stdout/);
    const [, shown = ''] = /^To show the run: mailer (run get .*)$/m.exec(stderr) ?? [];
    expect((await run(shown)).stdout).toContain('accepted\t1\n');
  });

  test('of a program that reads stdin as sendmail is no reason to hand the message over again', async () => {
    const { run, requests } = await connected({ body: { emailId: 'em_1' } });
    const stdin = 'Subject: Hi\n\nHello\n';
    const words = 'sendmail ana@example.org --from hello@example.com';
    const { exitCode, stderr } = await run(`${words} --jq .data[0].emailId[]`, { stdin });
    expect(exitCode).toBe(0);
    expect(stderr).toMatch(
      /^Warning: The message was accepted: em_1\. The result cannot be shown: --jq/,
    );
    expect(requests()).toHaveLength(1);
  });

  test('is 12, too, after a defect of the program that follows a send', async () => {
    const { run, world, service } = await connected(
      { body: { emailId: 'em_1' } },
      { body: { id: 'em_1' } },
    );
    Object.defineProperty(world.clock, 'elapsed', {
      get() {
        if (service.requests.length > 1) throw new TypeError('broken');
        return 0;
      },
    });
    const failed = await run(`${send} --wait --json`);
    expect(failed.exitCode).toBe(12);
    expect(errorOf(failed)).toMatchObject({
      code: 'output_failed',
      message: 'A part was carried out. Then an error occurred: Bug in mailer: broken',
      hint: 'Check what was carried out before you run the command again.',
    });
  });
});

describe('what can be checked before anything is sent', () => {
  const showsTimes = manifest.map(async ({ words, load }) => {
    const { takes = [] } = (await load()).command;
    return takes.includes('times') ? [words.join(' ')] : [];
  });

  test('is: a time zone that does not exist changes nothing, whatever the command', async () => {
    const commands = (await Promise.all(showsTimes)).flat();
    expect(commands.length).toBeGreaterThan(20);
    const those = new Map(usual.map((one) => [one.command, one]));
    for (const { line, stdin } of commands.flatMap((name) => those.get(name) ?? [])) {
      const machine = await createMachine();
      const words = await line(machine);
      const before = await changeable(machine);
      const outcome = await machine.run(`${words} --timezone Nope/X`, { stdin });
      expect({ words, ...outcome }).toMatchObject({ exitCode: 2, stdout: '' });
      expect(outcome.stderr).toContain('--timezone');
      expect(await changeable(machine)).toBe(before);
    }
  });
});
