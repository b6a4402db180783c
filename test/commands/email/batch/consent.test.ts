import { describe, expect, test } from 'vitest';
import { accept, emailsIn } from '../../../support/batch-service.ts';
import { connected, connectedWithoutTemplates, errorOf } from '../../../support/connected.ts';

const common = ['--from', 'hello@example.com', '--subject', 'Hi', '--text', 'Hello', '--yes'];
const shop =
  'Email,Accepts Email Marketing\nana@example.org,no\nben@example.org,yes\ncy@example.org,\n';

async function batch(content: string | object, ...flags: readonly string[]) {
  const { run, service, file, world } = await connectedWithoutTemplates(accept);
  file('people.csv', content);
  const outcome = await run(['email', 'batch', 'people.csv', ...common, ...flags]);
  const emails = service.requests.flatMap((request) =>
    request.method === 'POST' ? emailsIn(request) : [],
  );
  return { ...outcome, emails, to: emails.map(({ to }) => to), world };
}

describe('people who do not want email', () => {
  test('stop a batch, with their rows and the column', async () => {
    const outcome = await batch(shop, '--json');
    expect(outcome).toMatchObject({ exitCode: 2, to: [] });
    expect(errorOf(outcome)).toMatchObject({
      message:
        'people.csv: 2 of 3 rows are for people who do not want email, or did not say that they do:\n"Accepts Email Marketing" says no in row 1\n"Accepts Email Marketing" has no answer in row 3',
      hint: expect.stringMatching(
        /^Nothing was sent\. To send to the others: --skip-opted-out\n.*--ignore-column 'Accepts Email Marketing'$/,
      ),
    });
  });

  test('are skipped with --skip-opted-out, and stand in the results', async () => {
    const outcome = await batch(shop, '--skip-opted-out', '--json');
    expect(outcome).toMatchObject({ exitCode: 0, to: ['ben@example.org'] });
    const error = (message: string) => ({ code: 'opted_out', message });
    expect(JSON.parse(outcome.stdout).data).toMatchObject([
      { row: 1, to: 'ana@example.org', error: error('"Accepts Email Marketing" says no') },
      { row: 2 },
      { row: 3, to: 'cy@example.org', error: error('"Accepts Email Marketing" has no answer') },
    ]);
    expect(outcome.stderr).toContain('2 rows skipped: 1 says no, 1 has no answer.\n');
  });

  test('get receipts with --ignore-column, and templates can use the column', async () => {
    const ignore = ['--ignore-column', 'Accepts Email Marketing'];
    const html = '{{ ["Accepts Email Marketing"] | default: "nothing" }}';
    const { emails } = await batch(shop, ...ignore, '--html', html);
    expect(emails).toMatchObject([
      { to: 'ana@example.org', html: 'no' },
      { to: 'ben@example.org' },
      { to: 'cy@example.org' },
    ]);
    const renamed = shop.replace('Accepts Email Marketing', 'accepts_marketing');
    const stored = ['--ignore-column', 'accepts_marketing', '--template', 'tmpl_1'];
    expect((await batch(renamed, ...stored)).emails).toMatchObject([
      { to: 'ana@example.org', variables: { accepts_marketing: 'no' } },
      { to: 'ben@example.org' },
      { to: 'cy@example.org' },
    ]);
  });

  test('stop a preview, too', async () => {
    expect(await batch(shop, '--preview', '5')).toMatchObject({ exitCode: 2, to: [] });
    const skipped = await batch(shop, '--preview', '5', '--skip-opted-out', '--jsonl');
    expect(skipped.stdout.trim().split('\n')).toHaveLength(1);
    expect(skipped.stderr).toContain('2 rows skipped: 1 says no, 1 has no answer.\n');
  });

  test.each([
    ['a checkbox', 'Newsletter', 'x', ''],
    ['an export of mailer', 'subscribed', 'true', ''],
    ['a status', 'Marketing consent', 'yes', 'pending'],
  ])('are those who did not say yes in %s, %s', async (_, name, yes, none) => {
    const people = `Email,${name}\nana@example.org,${yes}\nben@example.org,${none}\n`;
    const outcome = await batch(people, '--json');
    expect(outcome).toMatchObject({ exitCode: 2, to: [] });
    expect(errorOf(outcome).message).toBe(
      `people.csv: 1 of 2 rows is for a person who did not say that they want email:\n"${name}" has no answer in row 2`,
    );
    expect(await batch(people, '--skip-opted-out')).toMatchObject({ to: ['ana@example.org'] });
  });

  test('are not asked by a column about not wanting email', async () => {
    const people = 'Email,Opted out\nana@example.org,\nben@example.org,x\n';
    expect(await batch(people, '--skip-opted-out')).toMatchObject({ to: ['ana@example.org'] });
  });

  test.each([
    ['a later row', 'ana@example.org,yes\nANA@example.org,no', 'row 1: ana@example.org', 2],
    ['an earlier row', 'ana@example.org,no\nana@example.org,yes', 'row 2: ana@example.org', 1],
    [
      'another row, and share an email',
      '"ben@example.org, ana@example.org",yes\nana@example.org,no',
      'row 1: ana@example.org',
      2,
    ],
  ])('say so in %s', async (_, rows, row, by) => {
    const people = `to,Newsletter\ncy@example.org,yes\n${rows}\n`;
    const outcome = await batch(people, '--skip-opted-out', '--json');
    expect(outcome).toMatchObject({ exitCode: 2, to: [] });
    const next = row.replace(/\d/, (digit) => String(Number(digit) + 1));
    expect(errorOf(outcome)).toMatchObject({
      message: `Rows of the same person disagree whether they want email:\n${next} does not want email, by row ${by + 1}`,
      hint: expect.stringMatching(
        /^Nothing was sent\. Correct these rows, or remove them\.\nFor .*: --ignore-column Newsletter$/,
      ),
    });
    const ignored = await batch(people, '--ignore-column', 'Newsletter');
    expect(ignored.to).toHaveLength(3);
  });

  test('keep their meaning when --map names the column otherwise', async () => {
    const people = 'Email,Opted out\nana@example.org,\nben@example.org,x\n';
    expect(await batch(people, '--map', 'gone=Opted out')).toMatchObject({ exitCode: 2, to: [] });
  });

  test('cannot be everybody', async () => {
    const nobody = 'Email,Opted out\nana@example.org,x\n';
    const outcome = await batch(nobody, '--skip-opted-out', '--json');
    expect(outcome).toMatchObject({ exitCode: 2, to: [] });
    expect(errorOf(outcome).hint).not.toContain('--skip-opted-out');
  });

  test('in doubt stop a batch', async () => {
    const outcome = await batch('Email,Marketing\nana@example.org,no\n', '--json');
    expect(outcome).toMatchObject({ exitCode: 2, to: [] });
    expect(errorOf(outcome)).toMatchObject({
      message: 'people.csv: the column "Marketing" may say who wants email: "no" (1).',
      hint: expect.stringContaining('--map subscribed=Marketing'),
    });
    expect(
      await batch(
        'Email,Marketing\nana@example.org,no\nben@example.org,yes\n',
        '--map',
        'subscribed=Marketing',
        '--skip-opted-out',
      ),
    ).toMatchObject({
      exitCode: 0,
      to: ['ben@example.org'],
    });
  });

  test.each([
    ['unsubscribe', 'https://example.com/u/1'],
    ['newsletter', 'March'],
  ])('are not named by a column "%s" for templates, such as %s', async (name, value) => {
    const { emails } = await batch(
      `to,${name}\nana@example.org,${value}\n`,
      '--template',
      'tmpl_1',
    );
    expect(emails).toMatchObject([{ variables: { [name]: value } }]);
  });

  test('are found in the variables of JSON, too', async () => {
    const rows = [
      { to: 'ana@example.org', variables: { unsubscribed: true } },
      { to: 'ben@example.org', variables: { unsubscribed: false } },
    ];
    expect(await batch(rows)).toMatchObject({ exitCode: 2, to: [] });
  });
});

describe('what a batch cannot know', () => {
  test.each([
    ['Newsletter', 'Sure thing', 'Rather not'],
    ['Can we contact you by email?', 'Yes', 'No'],
    ['status', 'active, trial', 'inactive'],
    ['subscribed', 'yes', 'rather not'],
  ])('stops it: answers of "%s", such as %s and %s', async (name, ana, ben) => {
    const people = `Email,${name}\nana@example.org,"${ana}"\nben@example.org,${ben}\n`;
    const outcome = await batch(people, '--json');
    expect(outcome).toMatchObject({ exitCode: 2, to: [] });
    expect(errorOf(outcome).message).toContain(`the column "${name}"`);
    expect(errorOf(outcome).hint).toContain('--ignore-column');
  });

  test('understands answers with polite words', async () => {
    const people = 'to,Newsletter\nana@example.org,"Yes, please"\nben@example.org,"No, thanks!"\n';
    expect(await batch(people)).toMatchObject({ exitCode: 2, to: [] });
    expect(await batch(people, '--skip-opted-out')).toMatchObject({ to: ['ana@example.org'] });
  });

  test.each([
    ['listmonk', 'status', 'enabled', 'disabled'],
    ['a spreadsheet', 'Active', 'yes', 'no'],
    ['JSON', 'active', 'true', 'false'],
  ])('stops it: who is inactive by %s', async (_, name, ana, ben) => {
    const people = `Email,${name}\nana@example.org,${ana}\nben@example.org,${ben}\n`;
    const outcome = await batch(people, '--json');
    expect(outcome).toMatchObject({ exitCode: 2, to: [] });
    expect(errorOf(outcome).hint).toContain(`--map subscribed=${name}`);
    const mapped = await batch(people, '--map', `subscribed=${name}`, '--skip-opted-out');
    expect(mapped).toMatchObject({ exitCode: 0, to: ['ana@example.org'] });
    expect((await batch(people, '--ignore-column', name)).to).toHaveLength(2);
  });

  test('stops it: a file of people who do not want email, by its name', async () => {
    const { run, service, file } = await connectedWithoutTemplates(accept);
    file('unsubscribes.csv', 'Email\nana@example.org\n');
    const line = ['email', 'batch', 'unsubscribes.csv', ...common];
    expect(await run(line)).toMatchObject({ exitCode: 2 });
    expect(await run([...line, '--preview', '1'])).toMatchObject({ exitCode: 2 });
    expect(service.requests.filter(({ method }) => method === 'POST')).toEqual([]);
    expect(await run([...line, '--ignore-file-name'])).toMatchObject({ exitCode: 0 });
  });

  test('is said: cells under an empty header', async () => {
    const { exitCode, stderr } = await batch('Email,\nana@example.org,gold\n');
    expect(exitCode).toBe(0);
    expect(stderr).toContain('Column 2 has no name, so its cells in 1 row are not used');
    expect(await batch('Email,\nana@example.org,no\n')).toMatchObject({ exitCode: 2, to: [] });
  });
});

describe('a column that replaces a flag in every row', () => {
  const tickets =
    'Ticket,Subject,Email\n1,Printer broken,ana@example.org\n2,No ink,ben@example.org\n';

  test('is an error that names both ways out', async () => {
    const outcome = await batch(tickets, '--json');
    expect(outcome).toMatchObject({ exitCode: 2, to: [] });
    expect(errorOf(outcome)).toMatchObject({
      message: 'people.csv: the column "Subject" would replace --subject in every row',
      hint: 'Nothing was sent. To use the column, leave out --subject. To use --subject: --ignore-column Subject',
    });
  });

  test('is data with --ignore-column', async () => {
    const sent = await connected(accept);
    sent.file('people.csv', tickets);
    const words = [
      '--from',
      'a@example.com',
      '--subject',
      'About {{ Subject }}',
      '--text',
      't',
      '--yes',
    ];
    await sent.run(['email', 'batch', 'people.csv', ...words, '--ignore-column', 'Subject']);
    expect(emailsIn({ body: sent.service.requests.at(-1)?.body ?? '' })).toMatchObject([
      { subject: 'About Printer broken' },
      { subject: 'About No ink' },
    ]);
  });

  test('replaces it where only some rows have a value', async () => {
    const some = 'Subject,Email\nPrinter broken,ana@example.org\n,ben@example.org\n';
    const { emails } = await batch(some);
    expect(emails).toMatchObject([{ subject: 'Printer broken' }, { subject: 'Hi' }]);
  });

  test('is meant in JSON', async () => {
    const { emails } = await batch([{ to: 'ana@example.org', subject: 'Own' }]);
    expect(emails).toMatchObject([{ subject: 'Own' }]);
  });
});

test('a column of country codes called CC is named in the error, with the flag that takes it as data', async () => {
  const file = 'Email Address,CC\nana@example.org,ch\n';
  const outcome = await batch(file, '--json');
  expect(errorOf(outcome).message).toContain(
    'cc: "ch" is not an email address; if this column has no addresses: --ignore-column CC',
  );
  expect(await batch(file, '--ignore-column', 'CC')).toMatchObject({ to: ['ana@example.org'] });
});

test('--map gives a variable and a field of an email another name than their columns', async () => {
  const { emails } = await batch(
    'Work,Company Name\nana@example.org,Ana Ltd\n',
    ...['--map', 'to=Work', '--map', 'company_name=Company Name', '--template', 'tmpl_1'],
  );
  expect(emails).toMatchObject([{ to: 'ana@example.org', variables: { company_name: 'Ana Ltd' } }]);
});
