import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { read } from '../support/sources.ts';
import { createMachine, type Machine } from './machine.ts';
import { startService } from './service.ts';

// Each line runs as on the page, on a machine whose account has emails in all states.

const page = read('docs/who-got-what.md');

/** The questions, and their lines by name. */
const questions = [...page.matchAll(/^(\d+)\. .+\n\n +```sh (\S+)\n +(\S.*)\n +```$/gm)].map(
  ([, number, name = '', line = '']) => ({ number: Number(number), name, line }),
);

/** What a line prints, and its exit code if that is not 0. */
const answers: Readonly<Record<string, { shows: RegExp; lacks?: RegExp; exitCode?: number }>> = {
  bounced: { shows: /\tBOUNCED\tbounced@example\.net\t/, lacks: /DELIVERED/ },
  failed: { shows: /REJECTED\t.*\tBad content\t/, lacks: /DELIVERED|COMPLAINED/ },
  pending: { shows: /\tSCHEDULED\tlater@example\.org\t/, lacks: /BOUNCED|DELIVERED/ },
  opened: { shows: /^opened@example\.org\n$/m, lacks: /bounced/ },
  permanent: { shows: /^bounced@example\.net$/m, lacks: /full@/ },
  transient: { shows: /^full@example\.org\tMailboxFull\t.*full/m, lacks: /bounced@example\.net/ },
  complained: { shows: /^complained@example\.org\t20.*\tabuse$/m },
  deny: { shows: /^Set in profile default/ },
  person: { shows: /\tOPENED\topened@example\.org\t/, lacks: /bounced/ },
  domain: { shows: /^BOUNCED\tbounced@example\.net\t/m, lacks: /example\.org/ },
  invoice: { shows: /^DELIVERED\tana@example\.org\t20/m, lacks: /opened/ },
  sender: { shows: /Your parcel/, lacks: /Invoice/ },
  story: { shows: /"emailEvents":\[.*"bounceType":"Permanent"/ },
  run: { shows: /^delivered\t1$/m },
  rows: { shows: /^2,bounced\+run@example\.org,Permanent/m, lacks: /^1,/m },
  'run-watch': { shows: /^bounced\t1$/m, exitCode: 9 },
  gate: { shows: /(BOUNCED|COMPLAINED)/, exitCode: 9 },
  reasons: { shows: /^ +3 General$/m },
  sheet: { shows: /5 match/ },
  archive: { shows: /^archive\/emails-/m },
};

async function withEmails(): Promise<Machine> {
  const service = await startService();
  const machine = createMachine();
  await machine.store({ apiKey: service.apiKey, baseUrl: service.baseUrl });
  const send = (to: string, subject: string, more: object = {}) =>
    service.call('POST', '/emails', {
      from: 'hello@example.com',
      to,
      subject,
      text: 'Hi',
      ...more,
    });
  await send('later@example.org', 'Tomorrow', {
    scheduledAt: new Date(Date.now() + 86_400_000).toISOString(),
  });
  await send('ana@example.org', 'Your invoice 4711');
  await send('opened@example.org', 'News of March');
  await send('bounced@example.net', 'News of March');
  await send('bounced+2@example.org', 'News of March');
  await send('full@example.org', 'News of March');
  await send('rejected@example.org', 'News of March');
  await send('complained@example.org', 'News of March');
  await send('ben@example.org', 'Your parcel', { from: 'Shop <shop@example.com>' });
  const batch = await machine.run(
    `printf 'to\\nana@example.org\\nbounced+run@example.org\\n' > people.csv
mailer email batch people.csv --from hello@example.com --subject Hi --text Hello --yes`,
  );
  expect(batch.exitCode).toBe(0);
  return machine;
}

test('there are twenty questions, each with a line and an answer', () => {
  expect(questions.map(({ number }) => number)).toEqual(
    Array.from({ length: 20 }, (_, i) => i + 1),
  );
  expect(questions.map(({ name }) => name)).toEqual(Object.keys(answers));
});

test('each line answers its question, on one machine, in the order of the page', async () => {
  const machine = await withEmails();
  for (const { name, line } of questions) {
    const { exitCode, log } = await machine.run(line);
    const { shows, lacks, exitCode: expected = 0 } = answers[name] ?? { shows: /./ };
    expect({ name, exitCode, log }).toEqual({
      ...{ name, exitCode: expected },
      log: expect.stringMatching(shows),
    });
    if (lacks !== undefined) expect(log, name).not.toMatch(lacks);
  }
  const { log: rules } = await machine.run('mailer policy show --json');
  expect(rules).toMatch(
    /bounced@example\.net.*complained@example\.org|complained@example\.org.*bounced@example\.net/s,
  );
  expect(rules).not.toMatch(/full@|rejected@/);
  const sheet = readFileSync(join(machine.home, 'failed.csv'), 'utf8');
  expect(sheet).toContain('bounced@example.net');
});

test('of 200 rows, 12 fail in five ways: what is worth it is retried, and the others are denied', async () => {
  const service = await startService();
  const machine = createMachine();
  await machine.store({ apiKey: service.apiKey, baseUrl: service.baseUrl });
  const failing = [
    ...['transient', 'full', 'full+2', 'failed', 'failed+2'],
    ...['bounced', 'bounced+2', 'bounced+3', 'complained', 'complained+2'],
  ].map((name) => `${name}@example.org`);
  const fine = Array.from({ length: 188 }, (_, index) => `p${index + 1}@example.org`);
  const csv = (...last: readonly string[]) =>
    ['to,name', ...[...fine, ...failing, ...last].map((to) => `${to},Ana`), ''].join('\n');
  writeFileSync(join(machine.home, 'people.csv'), csv('ana', 'ben@'));
  writeFileSync(join(machine.home, 'fixed.csv'), csv('ana@example.org', 'ben@example.org'));
  const [, text = ''] = /```sh act\n(.*?)```/s.exec(page) ?? [];
  const commands = text.trimEnd().split('\n');
  expect(commands.length).toBeLessThanOrEqual(5);
  const codes: (number | undefined)[] = [];
  const logs: string[] = [];
  for (const command of commands) {
    const { exitCode, log } = await machine.run(command);
    codes.push(exitCode);
    logs.push(log);
  }
  expect({ codes, logs: logs.slice(1) }).toMatchObject({ codes: [11, 9, 0, 0] });
  expect(logs[2]).toContain('7 of 200 rows will be sent again:');
  expect(logs[2]).toContain(
    'The others are left alone: 188 delivered, 3 bounced permanently, 2 complained.',
  );
  expect(logs[2]).toContain('Accepted 7 of 7 emails.');
  const { log: rules } = await machine.run('mailer policy show --json');
  for (const to of failing.slice(5)) expect(rules).toContain(`"${to}"`);
  for (const to of [...failing.slice(0, 5), 'p1@example.org'])
    expect(rules).not.toContain(`"${to}"`);
  const { log: sent } = await machine.run('mailer email list --all --jsonl --fields to');
  const times = new Map<string, number>();
  for (const [to] of sent.matchAll(/[^"[\]]+@example\.org/g))
    times.set(to, (times.get(to) ?? 0) + 1);
  const expected = [...fine, ...failing, 'ana@example.org', 'ben@example.org'];
  expect(new Set(times.keys())).toEqual(new Set(expected));
  const twice = [...times].filter(([, count]) => count > 1).map(([to]) => to);
  expect(new Set(twice)).toEqual(new Set(failing.slice(0, 5)));
});

test('a campaign that is half sent: the others get the corrected text, and unsubscriptions come back', async () => {
  const service = await startService();
  const machine = createMachine();
  await machine.store({ apiKey: service.apiKey, baseUrl: service.baseUrl });
  const block = (name: string) =>
    new RegExp(`\`\`\`sh ${name}\\n(.*?)\`\`\``, 's').exec(page)?.[1] ?? '';
  const people = Array.from({ length: 40 }, (_, index) => `p${index + 1}@example.org`);
  const csv = people.map((to, index) => `${to},Name ${index + 1},plan ${index},${index !== 7}`);
  writeFileSync(
    join(machine.home, 'people.csv'),
    ['email,first name,plan,subscribed', ...csv, ''].join('\n'),
  );
  const text =
    'Hi {{firstName, fallback=you}}, [unsubscribe]({{usesend_unsubscribe_url}}), {{plan}}';
  writeFileSync(join(machine.home, 'old.md'), `${text}\n`);
  writeFileSync(join(machine.home, 'march.md'), `Corrected. ${text}\n`);
  const begun = await machine.run(
    `set -e
mailer contact book create --name Everyone --double-opt-in off
mailer contact import people.csv --book Everyone --add-variables --yes
mailer campaign create --name "News of March" --book Everyone --from hello@example.com --subject "News of March" --markdown-file old.md --now --batch-size 1 --yes --allow-blank`,
  );
  expect(begun.exitCode, begun.log).toBe(0);
  const stopped = await machine.run(block('stop'));
  expect(stopped.log).toContain('docs/who-got-what.md, "A campaign that is half sent"');
  const half = await machine.run(`set -e\n${block('half')}`);
  expect(half.exitCode, half.log).toBe(0);
  expect(half.log).toContain('The service does not say which campaign an email belongs to.');
  const had = readFileSync(join(machine.home, 'got.txt'), 'utf8').trim().split('\n');
  expect(had.length).toBeGreaterThan(0);
  expect(had.length).toBeLessThan(39);
  await machine.run('mailer campaign watch "News of March, corrected"');
  const { log } = await machine.run(
    'mailer email list --all --subject "News of March" --jsonl --jq ".to[]" 2>/dev/null',
  );
  const got = log.trim().split('\n');
  expect(got.toSorted()).toEqual(people.filter((to) => to !== 'p8@example.org').toSorted());
  const unsubscribing = `mailer contact list --book "Everyone, the rest" --jsonl --jq 'select(.subscribed) | .email' | head -1 >last.txt
mailer contact update - --book "Everyone, the rest" --unsubscribed <last.txt`;
  await machine.run(unsubscribing);
  const back = await machine.run(block('back'));
  expect(back.exitCode, back.log).toBe(0);
  const unsubscribed = await machine.run(
    `mailer contact list --book Everyone --jsonl --jq 'select(.subscribed | not) | .email'`,
  );
  expect(unsubscribed.log.trim().split('\n')).toHaveLength(2);
});
