import { describe, expect, test } from 'vitest';
import { atTerminal } from '../../support/at-terminal.ts';
import { connected, errorOf } from '../../support/connected.ts';
import { enter } from '../../support/keys.ts';
import { createWorld } from '../../support/run.ts';
import { create, createWords, get, html, summary } from './draft.ts';

const id = 'cm3k9x2f8000008l4';
const success = { body: { success: true } };
const text = `${html}<p>Hi {{firstName}}, {{plan}}, {{ contact.Stadt }}</p>`;
const draft = { body: summary(id, { contactBookId: 'book_1', html: text }) };
const book = { body: { id: 'book_1', name: 'Readers', variables: ['plan', 'stadt'] } };

/** Contacts of whom every third has no first name, all a plan of white space, and all but the first a town. */
function contacts(count: number) {
  const body = Array.from({ length: count }, (_, at) => ({
    ...{ id: `c${at}`, email: `p${at}@example.org`, subscribed: at !== 1 },
    ...{ firstName: at % 3 === 2 ? null : 'Ana', lastName: '' },
    properties: { Plan: ' ', STADT: at === 0 ? null : 'Ulm' },
  }));
  return { body };
}

const found = [
  'These placeholders are empty for some contacts:',
  '    HTML, line 1: {{firstName}} for 3 of 9 subscribed contacts, such as p2@example.org',
  '    HTML, line 1: {{plan}} for 9 of 9 subscribed contacts, such as p0@example.org',
  '    HTML, line 1: {{contact.Stadt}} for 1 of 9 subscribed contacts, such as p0@example.org',
].join('\n');
const looks = ['campaigns/', 'contactBooks/book_1', 'contactBooks/book_1/contacts'];

describe.each([
  ['schedule', '--now', 'started'],
  ['schedule', '--scheduled-at 2026-02-01T09:00:00Z', 'scheduled'],
  ['resume', '', 'resumed'],
])('campaign %s %s', (command, flags, undone) => {
  const line = `campaign ${command} ${id} ${flags}`;

  test.each(['', '--yes', '--yes --literal', '--yes --expect-contacts 9'])(
    '%s stops, with one list of the contacts, and names --allow-blank',
    async (more) => {
      const { run, requests } = await connected(draft, book, contacts(10), success);
      const { exitCode, stdout, stderr } = await run(`${line} ${more}`);
      expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
      expect(stderr.replace(/^ {2}(?=HTML)/gm, '    ')).toBe(
        `Error: ${found}\nHint: Nothing was ${undone}. Give it a fallback, such as {{firstName, fallback=there}}. To start the campaign anyway, add --allow-blank.\n`,
      );
      expect(requests().map((one) => one.replace(/^GET \/api\/v1\/|cm\w+$/g, ''))).toEqual(looks);
    },
  );

  test('--allow-blank starts it; the contacts are not listed', async () => {
    const { run, requests } = await connected(draft, book, success);
    const { exitCode, stderr } = await run(`${line} --yes --allow-blank`);
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
    expect(requests().slice(0, 2)).not.toContain('GET /api/v1/contactBooks/book_1/contacts');
  });

  test('on a terminal, the question says it, with one list of the contacts', async () => {
    const { run, requests } = await connected(draft, book, contacts(10), book, success);
    const { text } = await atTerminal(run, line, [['(y/N)', enter]]);
    expect(text.replace(/\s+/g, ' ')).toContain(
      '"Readers". "{{firstName}}" is empty for 3 of 9 subscribed contacts, such as p2@example.org. "{{plan}}" is empty for 9 of 9',
    );
    expect(text).not.toContain('These placeholders');
    const listed = requests().filter((one) => one.endsWith('/contacts'));
    expect(listed).toHaveLength(1);
  });
});

test('in JSON, the error has the same words', async () => {
  const { run } = await connected(draft, book, contacts(10));
  expect(errorOf(await run(`campaign resume ${id} --yes --json`))).toMatchObject({
    code: 'usage',
    message: found.replaceAll('    ', '  '),
  });
});

test('of a book that is not listed in full, it is said of those listed', async () => {
  const large = { body: { ...book.body, _count: { contacts: 9000 } } };
  const { run } = await connected(draft, large, contacts(5000));
  expect((await run(`campaign schedule ${id} --now`)).stderr).toContain(
    '{{firstName}} for 1,666 of the 4,999 subscribed contacts that the service lists, such as p2@example.org\n',
  );
});

test.each([
  ['a fallback, also an empty one', '{{firstName, fallback=there}} {{plan,fallback=}}'],
  ['what no contact lacks', '{{email}} {{contact.EMAIL}} {{unsend_unsubscribe_url}}'],
  ['code', '<code>{{firstName}}</code>'],
])('%s is no question, and nobody is listed', async (_, good) => {
  const { run, requests } = await connected(
    { body: summary(id, { contactBookId: 'book_1', html: `${html}${good}` }) },
    ...(good.includes('plan') ? [book] : []),
    success,
  );
  const { exitCode, stderr } = await run(`campaign schedule ${id} --now --yes`);
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
  expect(stderr).not.toContain('Warning');
  expect(requests().join()).not.toContain('/contacts,');
});

test('a list that fails for the moment stops the start; one that is not offered is said', async () => {
  const broken = await connected(draft, book, { status: 500, body: 'no' });
  const stopped = await broken.run(`campaign resume ${id} --yes --retries 0`);
  expect(stopped.exitCode).toBe(7);
  expect(stopped.stderr).toContain(
    'Nothing was resumed, because the contacts could not be listed. To start the campaign without this check, add --allow-blank.',
  );
  const lacking = await connected(draft, book, { status: 404, body: '404' }, success);
  const { exitCode, stderr } = await lacking.run(`campaign schedule ${id} --now --yes`);
  expect(exitCode).toBe(0);
  expect(stderr).toContain(
    'The service does not list the contacts, so placeholders may be empty for some of them.\n',
  );
});

describe('in the sandbox', () => {
  async function withBook() {
    const world = createWorld();
    await world.run('contact book create --name Readers --double-opt-in off --sandbox');
    const add = 'contact add --book Readers --sandbox --yes --email';
    await world.run(`${add} ana@example.org --first-name Ana`);
    await world.run(`${add} ben@example.org`);
    return world;
  }

  const words = (...more: readonly string[]) =>
    createWords('News', '--book', 'Readers', '--html', `${html}Hi {{firstName}}!`, ...more);
  const blank = '{{firstName}} for 1 of 2 subscribed contacts, such as ben@example.org';
  const sentence =
    '"{{firstName}}" is empty for 1 of 2 subscribed contacts, such as ben@example.org.';

  test('create --now and replace --now stop; a draft, its test and a preview are warned of', async () => {
    const world = await withBook();
    const started = await world.run(words('--now'));
    expect(started).toMatchObject({ exitCode: 2, stdout: '' });
    expect(started.stderr).toContain(`  --html, line 1: ${blank}\nHint: Nothing was created.`);
    const preview = await world.run(words('--preview', '--quiet'));
    expect(preview).toMatchObject({ exitCode: 0, stderr: `Warning: ${sentence}\n` });
    const drafted = await world.run(words());
    expect(drafted.stderr).toContain(
      `Warning: This placeholder is empty for some contacts:\n  --html, line 1: ${blank}\n`,
    );
    const draft = drafted.stdout.trim();
    const replaced = await world.run(`campaign replace ${draft} --now --yes --sandbox`);
    expect(replaced).toMatchObject({ exitCode: 2, stdout: '' });
    expect(replaced.stderr).toContain(blank);
    const tested = await world.run(`campaign test ${draft} --to me@example.com --sandbox`);
    expect(tested.exitCode).toBe(0);
    expect(tested.stderr).toContain(`Warning: This placeholder is empty for some contacts:\n`);
    const allowed = await world.run(`campaign replace ${draft} --yes --allow-blank --sandbox`);
    expect(allowed).toMatchObject({ exitCode: 0 });
    expect(allowed.stderr).not.toContain('Warning');
  });

  test('--check has a row for it, once: a warning for a draft, an error for a start', async () => {
    const world = await withBook();
    const drafted = await world.run(words('--check', '--json'));
    expect(drafted.exitCode).toBe(0);
    expect(drafted.stderr).toMatch(
      /^\S+: warning: "\{\{firstName}}" is empty for 1 of 2 .*\[placeholder-blank]$/m,
    );
    expect(drafted.stderr.match(/empty/g)).toHaveLength(1);
    const started = await world.run(words('--check', '--now'));
    expect(started).toMatchObject({ exitCode: 9, stdout: '' });
    expect(started.stderr).toMatch(/: error: "\{\{firstName}}" is empty .*\[placeholder-blank]$/m);
    expect(errorOf(await world.run(words('--check', '--now', '--json')))).toMatchObject({
      issues: [{ message: `${sentence} [placeholder-blank]` }],
    });
    const id = JSON.parse(drafted.stdout).id;
    const replaced = await world.run(`campaign replace ${id} --check --now --yes --sandbox`);
    expect(replaced).toMatchObject({ exitCode: 9, stdout: '' });
    const allowed = await world.run(words('--check', '--name', 'May', '--allow-blank'));
    expect(allowed.stderr).not.toContain('empty');
  });

  test('a dry run looks nothing up, and says so', async () => {
    const world = await withBook();
    const { exitCode, stderr } = await world.run(words('--now', '--dry-run'));
    expect(exitCode).toBe(0);
    expect(stderr).toContain(
      'A dry run looks nothing up, so mailer did not check for whom placeholders are empty.\n',
    );
    for (const command of ['schedule News --now', 'resume News']) {
      const start = await world.run(`campaign ${command} --dry-run --sandbox`);
      expect(start.stderr).toContain('mailer did not check the status and the placeholders');
    }
    const plain = await world.run(createWords('News', '--now', '--dry-run'));
    expect(plain.stderr).toBe(
      'A dry run looks nothing up, so mailer did not check whether another campaign sends the same.\nDry run: nothing was sent.\n',
    );
  });

  test('what the hint says is what the service fills in', async () => {
    const world = await withBook();
    const good = `${html}Hi {{firstName, fallback=there}}!`;
    const campaign = await create(world, 'News', '--book', 'Readers', '--html', good, '--now');
    await world.run('sandbox advance 1m');
    expect(await get(world, campaign)).toMatchObject({ sent: 2 });
    const emails = await world.run('email list --to ben@example.org --sandbox --quiet');
    const { stdout } = await world.run(`email get ${emails.stdout.trim()} --sandbox --json`);
    expect(JSON.parse(stdout).html).toContain('Hi there!');
  });
});

test('a text that programs write for no value counts as blank, and is named', async () => {
  const body = ['NULL', 'undefined', 'Null', 'Ana'].map((firstName, at) => ({
    ...{ id: `c${at}`, email: `p${at}@example.org`, subscribed: true, firstName },
    properties: { Plan: 'x', STADT: '#N/A' },
  }));
  const { run } = await connected(draft, book, { body }, success);
  const { exitCode, stderr } = await run(`campaign schedule ${id} --now --yes`);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(
    '{{firstName}} for 2 of 4 subscribed contacts, such as p0@example.org; 2 with a text such as "NULL", which no fallback replaces',
  );
  expect(stderr).toContain('{{contact.Stadt}} for 4 of 4 subscribed contacts');
});
