import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startContactService } from '../../support/contact-service.ts';
import { enter } from '../../support/keys.ts';
import { createPlace, finished, type Started } from '../../support/process.ts';
import { pick, seeded } from '../../support/seeded.ts';
import { openTerminal } from '../../support/terminal.ts';

const kills = 3;
const line = [
  ...['contact', 'sync', 'people.csv', '--book', 'Customers', '--delete-missing', '--yes'],
  ...['--allow-http', '--wait-timeout', '1s', '--retries', '1'],
];

const numbered = (name: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${name}${index}@example.org`);

test(`killed ${kills} times and run again, a sync makes the book what the file says`, async () => {
  const random = seeded(11);
  const place = createPlace({ MAILER_API_KEY: 'us_key_1234567890' });
  const service = await startContactService({ doubleOptIn: true, perMillisecond: 2 });
  const env = { MAILER_BASE_URL: service.baseUrl };
  const [added, changed, gone] = [numbered('new', 1500), numbered('old', 40), numbered('gone', 30)];
  for (const email of [...changed, ...gone]) service.add(email, { properties: { plan: 'free' } });
  const left = { subscribed: false, unsubscribeReason: 'UNSUBSCRIBED' };
  service.add('left@example.org', left);
  service.add('returns@example.org', left);
  const rows = [...added, ...changed, 'returns@example.org'].map((email) => `${email},pro,true`);
  writeFileSync(join(place.home, 'people.csv'), ['email,plan,subscribed', ...rows].join('\n'));
  let aim: { readonly at: number; readonly target: Started; readonly arrives: boolean } | undefined;
  let requests = 0;
  service.state.treat = () => {
    requests++;
    if (aim === undefined || requests < aim.at) return 'answered';
    const { target, arrives } = aim;
    aim = undefined;
    target.kill('SIGKILL');
    return arrives ? 'answer lost' : 'never arrived';
  };
  let killed = 0;
  for (let turn = 0; killed < kills && turn < 3 * kills; turn++) {
    const run = place.start(line, { env });
    // The earlier kills happen while it adds contacts, the later ones while it deletes others.
    const at = requests + 2 + Math.floor(random() * (4 + 2 * turn));
    aim = { at, target: run, arrives: pick(random, [true, false]) };
    const { signal, exitCode } = await finished(run);
    aim = undefined;
    if (signal === 'SIGKILL') killed++;
    else expect([0, 10, 11]).toContain(exitCode);
  }
  expect(killed).toBeGreaterThan(kills / 2);

  service.drain();
  const last = await place.run([...line, '--resend-unknown'], { env });
  expect(last).toMatchObject({ exitCode: 0 });
  const book = [...service.contacts.values()];
  expect(book.map(({ email }) => email).sort()).toEqual(
    [...added, ...changed, 'left@example.org', 'returns@example.org'].sort(),
  );
  const inFile = book.filter(({ email }) => email !== 'left@example.org');
  expect(inFile.filter(({ properties }) => properties.plan !== 'pro')).toEqual([]);
  expect(service.contacts.get('returns@example.org')?.subscribed).toBe(false);
  expect([...service.confirmations.keys()].sort()).toEqual(added.toSorted());
  expect([...service.confirmations.values()].filter((times) => times !== 1)).toEqual([]);
  const again = await place.run([...line, '--json'], { env });
  expect(JSON.parse(again.stdout)).toMatchObject({ added: 0, changed: 0, deleted: 0, missing: 1 });
}, 120_000);

test('the difference is shown above the question, and only a yes changes anything', async () => {
  const service = await startContactService();
  const env = { MAILER_API_KEY: 'us_key_1234567890', MAILER_BASE_URL: service.baseUrl };
  const place = createPlace(env);
  for (const email of ['a@x.example', 'b@x.example', 'c@x.example']) service.add(email);
  service.add('d@x.example', { firstName: '\x1b[2J' });
  writeFileSync(
    join(place.home, 'people.csv'),
    `email,first name\nd@x.example,Dora\n${'e'.repeat(60)}@x.example,\n`,
  );
  const words = 'contact sync people.csv --book Customers --delete-missing --allow-http';
  for (const [answer, exitCode] of [
    ['n', 2],
    ['y', 0],
  ] as const) {
    const terminal = openTerminal(place, `mailer ${words}`);
    await terminal.shows('Add 1, change 1 and delete 3? (y/N)');
    const shown = terminal.text();
    expect(shown).toContain('~ d@x.example  firstName: \\x1b[2J → Dora');
    expect(shown).toMatch(/^\+ e{60}@x\.example +add$/m);
    expect(shown).toMatch(/^- c@x\.example +delete$/m);
    expect(shown).toMatch(
      /^Warning: 3 contacts of 4 who have not unsubscribed are not in the file: more\n +than --max-missing 50%\.$/m,
    );
    terminal.type(`${answer}${enter}`);
    expect(await terminal.end()).toBe(exitCode);
    expect(service.contacts.size).toBe(answer === 'n' ? 4 : 2);
    // The differences were already shown.
    if (answer === 'y') expect(terminal.text().match(/c@x\.example/g)).toHaveLength(1);
  }
  expect(service.contacts.get('d@x.example')?.firstName).toBe('Dora');
}, 60_000);
