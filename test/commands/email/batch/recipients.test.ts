import { describe, expect, test } from 'vitest';
import { accept, emailsIn } from '../../../support/batch-service.ts';
import {
  connected,
  connectedWithoutTemplates,
  errorOf,
  fileIn,
} from '../../../support/connected.ts';
import { createWorld } from '../../../support/run.ts';

const common = ['--from', 'hello@example.com', '--subject', 'Hi', '--text', 'Hello'];
const batch = ['email', 'batch', 'people.csv', ...common];

/** The recipients that this file is sent to, and stderr. */
async function sentTo(content: string | object, flags: readonly string[] = []) {
  const { run, service, file } = await connectedWithoutTemplates(accept);
  file('people.csv', content);
  const { exitCode, stderr } = await run([...batch, '--yes', ...flags]);
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
  return { emails: service.requests.flatMap((request) => emailsIn(request)), stderr };
}

/** The error for this file. Nothing may be sent. */
async function refused(content: string | object, flags: readonly string[] = []) {
  const { run, service, file } = await connected();
  file('people.csv', content);
  const outcome = await run([...batch, '--yes', '--json', ...flags]);
  expect(outcome.exitCode).toBe(2);
  expect(service.requests).toEqual([]);
  return errorOf(outcome);
}

describe('a file without a column "to"', () => {
  test.each([
    ...['Email', 'email', 'E-mail', 'e_mail', 'Email Address', 'EMAILS'],
    ...['E-Mail-Adresse', 'E-mailadres', 'Adresse e-mail', 'Adresse mail', 'Indirizzo email'],
    ...['Correo electrónico', 'Correo electronico', 'Correo electrónico'.normalize('NFD')],
    ...['Dirección de correo electrónico', 'Endereço de e-mail'],
  ])('has its recipients in "%s"', async (column) => {
    const { emails, stderr } = await sentTo(`Name,${column}\nAna,ana@example.org\n`);
    expect(emails).toMatchObject([{ to: 'ana@example.org' }]);
    expect(stderr).toMatch(`The recipients are in the column "${column}".\n`);
  });

  test('keeps that column for templates', async () => {
    const file = 'Email,Name\nana@example.org,Ana\n';
    const { emails } = await sentTo(file, [
      '--reply-to',
      'team@example.com',
      '--template',
      'tmpl_1',
    ]);
    expect(emails).toMatchObject([{ variables: { Email: 'ana@example.org', Name: 'Ana' } }]);
  });

  test('500 people of a spreadsheet get an email each', async () => {
    const world = createWorld();
    const rows = Array.from({ length: 500 }, (_, row) => `"Person ${row}",p${row}@example.org`);
    fileIn(world, 'people.csv', `Name,Email\r\n${rows.join('\r\n')}\r\n`);
    const words = ['email', 'batch', 'people.csv', '--from', 'hello@example.com', '--sandbox'];
    const text = ['--subject', 'Hi {{ Name }}', '--text', 'Hello', '--yes', '--quiet'];
    const { exitCode, stdout } = await world.run([...words, ...text]);
    expect(exitCode).toBe(0);
    expect(new Set(stdout.trim().split('\n')).size).toBe(500);
  });

  test.each([
    ['Address,Name', [`--to '{{ Address }}'`]],
    ['Work e-mail,Name', [`--to '{{ ["Work e-mail"] }}'`]],
    ['Email,Correo electrónico', [`--to '{{ Email }}'`, `--to '{{ ["Correo electrónico"] }}'`]],
    ['email,e-mail', [`--to '{{ email }}'`, `--to '{{ ["e-mail"] }}'`]],
    ['Contact,Name', [`--to '{{ Contact }}'`]],
    ["a'mail,Name", [`--to '{{ ["a'\\''mail"] }}'`]],
  ])('and with %s is an error, with the line for each column', async (header, flags) => {
    const { message, hint } = await refused(`${header}\nana@example.org,Ana\n`);
    expect(message).toContain(
      flags.length > 1
        ? 'several columns may have the addresses'
        : 'there is no column "to" in the header',
    );
    const line = 'mailer email batch people.csv --from hello@example.com --subject Hi --text Hello';
    expect(hint).toBe(
      ['To take the recipients from another column:']
        .concat(flags.map((flag) => `${line} --yes --json ${flag}`))
        .join('\n'),
    );
  });

  test('and with the columns of Google Contacts is an error that names only those with addresses', async () => {
    const header = 'Name,E-mail 1 - Label,E-mail 1 - Value,E-mail 2 - Label,E-mail 2 - Value';
    const { hint } = await refused(`${header}\nAna,* Home,ana@example.org,,\n`);
    expect(hint?.split('\n').slice(1)).toEqual([
      expect.stringMatching(/ --to '\{\{ \["E-mail 1 - Value"\] \}\}'$/),
    ]);
  });

  test('and with an empty cell among them is an error that names the cell, and no other column', async () => {
    const shop = 'Email,Accepts Email Marketing\nana@example.org,yes\n,yes\n';
    expect((await refused(shop)).message).toMatch(/row 2: the cell "Email" is empty$/);
  });

  test('and with --map unsubscribed=Email is told that this column has the addresses', async () => {
    const flags = ['--map', 'unsubscribed=Email'];
    const { message } = await refused('Email,Name\nana@example.org,Ana\n', flags);
    expect(message).toBe(
      '--map unsubscribed="Email": that column has the addresses, not who wants email',
    );
  });

  test('an address of a house is not taken beside an email address', async () => {
    const { emails } = await sentTo('Address,Email\nOak St 1,ana@example.org\n');
    expect(emails).toMatchObject([{ to: 'ana@example.org' }]);
  });
});

describe('--to', () => {
  test.each([
    ['{{ Address }}', 'ana@example.org'],
    ['{{ Name }} <{{ Address }}>', 'Ana <ana@example.org>'],
    ['{{ Address }}, ben@example.org', ['ana@example.org', 'ben@example.org']],
    ['ben@example.org', 'ben@example.org'],
  ])('%s is a template over the row', async (to, expected) => {
    const { emails } = await sentTo('Address,Name\nana@example.org,Ana\n', ['--to', to]);
    expect(emails).toMatchObject([{ to: expected }]);
  });

  test('repeats', async () => {
    const flags = ['--to', '{{ a }}', '--to', '{{ b }}'];
    const { emails } = await sentTo('a,b\nana@example.org,ben@example.org\n', flags);
    expect(emails).toMatchObject([{ to: ['ana@example.org', 'ben@example.org'] }]);
  });

  test('of JSON rows is a template over their variables', async () => {
    const rows = [{ variables: { email: 'ana@example.org' } }];
    const { emails } = await sentTo(rows, ['--to', '{{ email }}']);
    expect(emails).toMatchObject([{ to: 'ana@example.org' }]);
  });

  test.each([
    [
      'a row with its own recipient',
      'to,a\nana@example.org,x@example.org\n',
      /row 1: --to is given, and the row has recipients/,
    ],
    [
      'a missing value',
      'Email,a\nana@example.org,\n',
      /row 1: --to: no value for a, and no default/,
    ],
    ['no address', 'Email,a\nana@example.org,Ana\n', /row 1: --to: "Ana" is not an email address/],
    [
      'a line break',
      'Email,a\nana@example.org,"x@y.example\nBcc: b@c.example"\n',
      /row 1: --to: .* is not an email address/,
    ],
  ])('%s is an error', async (_, file, said) => {
    expect((await refused(file, ['--to', '{{ a }}'])).message).toMatch(said);
  });

  test('another one is another run', async () => {
    const { run, file } = await connected(accept, accept);
    file('people.csv', 'a,b\nana@example.org,ben@example.org\n');
    expect((await run([...batch, '--yes', '--to', '{{ a }}'])).exitCode).toBe(0);
    const { stderr } = await run([...batch, '--yes', '--to', '{{ b }}']);
    expect(stderr).toContain('was sent before');
    const again = await run([...batch, '--yes', '--to', '{{ b }}']);
    expect(again.stderr).toContain('already complete');
  });
});

test('JSON rows name the field that may have the recipient', async () => {
  const { message } = await refused([{ email: 'ana@example.org' }]);
  expect(message).toContain('row 1: there is no recipient in "to"; did you mean "email"?');
});
