import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { describe, expect, test } from 'vitest';
import { connected, errorOf } from '../support/connected.ts';

describe('what is not there', () => {
  test.each([
    ['run get nope', 'There is no run "nope".'],
    ['run get @last', 'There are no runs.'],
    ['run delete nope --yes', 'There is no run "nope".'],
    ['run resume nope --yes', 'There is no run "nope".'],
    ['profile use nope', 'There is no profile "nope".'],
    ['profile rename nope work', 'There is no profile "nope".'],
    ['profile delete nope --yes', 'There is no profile "nope".'],
    ['email list --profile nope', 'There is no profile "nope".'],
    ['config list --profile nope', 'There is no profile "nope".'],
    ['logout --profile nope', 'There is no profile "nope".'],
    ['policy show --profile nope', 'There is no profile "nope".'],
    ['doctor --profile nope', undefined],
    ['config get nope', 'There is no setting "nope".'],
    ['config set nope 1', 'There is no setting "nope".'],
    ['config unset nope', 'There is no setting "nope".'],
    ['policy unset nope', 'There is no rule "nope".'],
    ['email get @last', '@last: no email of this account'],
    ['campaign delete @last --yes', '@last: no campaign of this account'],
    ['contact get @last', '@last: no contact of this account'],
    ['api GET /v1/emails/@last', '@last: no email of this account'],
  ])('is 4 on this machine, too, and no request is sent: %s', async (line, message) => {
    const { run, service } = await connected();
    const outcome = await run(`${line} --json`);
    expect({ ...outcome, exitCode: outcome.exitCode }).toMatchObject({ exitCode: 4 });
    if (message !== undefined) {
      expect(errorOf(outcome)).toMatchObject({ code: 'not_found' });
      expect(errorOf(outcome).message).toContain(message);
    }
    expect(service.requests).toHaveLength(0);
  });

  test('in place of a directory for runs is enough for a dry run', async () => {
    const { run, file, world, service } = await connected();
    file('people.csv', 'to\nana@example.org\n');
    file('contacts.csv', 'email\nana@example.org\n');
    world.env.MAILER_API_KEY = '';
    world.env.MAILER_STATE_DIR = file('state', 'a file, not a directory');
    const trials = () => readdirSync(tmpdir()).filter((name) => name.startsWith('mailer-trial-'));
    const content = '--from hello@example.com --subject Hi --text Hello';
    for (const line of [
      `email batch people.csv ${content}`,
      `contact import contacts.csv --book cm0000000000000000000book`,
    ]) {
      const outcome = await run([...line.split(' '), '--dry-run']);
      expect({ line, ...outcome }).toMatchObject({ exitCode: 0 });
      expect(outcome.stdout).toContain('ana@example.org');
    }
    expect(trials()).toEqual([]);
    expect(service.requests).toEqual([]);
  });

  test('for sendmail is a wrong configuration, as before', async () => {
    const { run } = await connected();
    const words = 'sendmail --profile nope --from hello@example.com ana@example.org';
    const { exitCode, stderr } = await run(words, { stdin: 'Subject: Hi\n\nHi\n' });
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 78 });
    expect(stderr).toContain('There is no profile "nope".');
  });
});
