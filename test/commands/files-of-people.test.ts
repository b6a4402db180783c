import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { fileIn } from '../support/connected.ts';
import { needing, works } from '../support/needs.ts';
import { createWorld } from '../support/run.ts';

/** What each command that reads files of people makes of a file: its rows, or its error. */
async function readBy(content: string) {
  const world = createWorld();
  fileIn(world, 'people.csv', content);
  await world.run('contact book create --name People --double-opt-in off --sandbox');
  const batch = await world.run([
    ...'email batch people.csv --sandbox --from hello@example.com --subject s --text'.split(' '),
    ...['Hi {{ name }}', '--preview', '9', '--fields', 'to,text', '--no-header'],
  ]);
  const contact = 'people.csv --book People --sandbox --dry-run --json';
  const imported = await world.run(`contact import ${contact}`);
  const synced = await world.run(`contact sync ${contact}`);
  const error = (one: { stderr: string }) => one.stderr.replace(/^Warning: .*\n/gm, '');
  return {
    batch: batch.exitCode === 0 ? batch.stdout : error(batch),
    import: imported.exitCode === 0 ? imported.stdout : error(imported),
    sync: synced.exitCode === 0 ? synced.stdout : error(synced),
  };
}

const twoRows = 'ana@example.org\tHi Ana\nben@example.org\tHi Ben\n';

test.each([
  [
    'CR CR LF, as Python writes on Windows',
    'email,name\r\r\nana@example.org,Ana\r\r\nben@example.org,Ben\r\r\n',
  ],
  ['spaces around quotes', 'email, "name"\nana@example.org, "Ana" \n"ben@example.org" ,Ben\n'],
  [
    'no-break spaces and zero-width characters around an address',
    'email,name\n\u200bana@example.org\u00a0,Ana\n\ufeff ben@example.org\u2060,Ben\n',
  ],
  [
    'semicolons, with a comma in a name',
    'E-Mail;name;Ort, Land\nana@example.org;Ana;\nben@example.org;Ben;\n',
  ],
  [
    'tabs, with a comma and a semicolon in a name',
    'email\tname\ta;b\tc,d\nana@example.org\tAna\t1\t2\nben@example.org\tBen\t1\t2\n',
  ],
  [
    'semicolons, with a comma before a usual name',
    'email;name;a,last name,first name,name\nana@example.org;Ana;x\nben@example.org;Ben;y\n',
  ],
  ['vertical bars', 'email|name\nana@example.org|Ana\nben@example.org|Ben\n'],
])('%s are read, by every command', async (_, content) => {
  const read = await readBy(content);
  expect(read.batch).toBe(twoRows);
  for (const one of [read.import, read.sync]) {
    expect(one).toContain('ana@example.org');
    expect(one).toContain('ben@example.org');
    expect(one).not.toMatch(/[\u200b\u00a0\ufeff\u2060]|\\u/);
  }
});

test('two columns for the addresses are named as that, by every command', async () => {
  const read = await readBy('Email,email,name\nana@example.org,ben@example.org,Ana\n');
  for (const one of Object.values(read)) {
    expect(one).toContain('several columns may have the addresses: Email, email');
    expect(one).not.toContain('there is no column');
  }
});

test('two columns for another field are named, with what settles it', async () => {
  const world = createWorld();
  fileIn(world, 'people.csv', 'to,Subject,subject\nana@example.org,A,B\n');
  const batch = 'email batch people.csv --sandbox --from hello@example.com --text t --preview 1';
  const { exitCode, stderr } = await world.run(batch);
  expect(exitCode).toBe(2);
  expect(stderr).toContain('people.csv: two columns give subject: "Subject", "subject"\n');
  expect(stderr).toContain('--ignore-column Subject');
  const settled = await world.run([
    ...`${batch} --fields subject --no-header --ignore-column Subject`.split(' '),
  ]);
  expect(settled).toMatchObject({ exitCode: 0, stdout: 'B\n' });
});

test('an address with an invisible character inside is still an error that names it', async () => {
  const read = await readBy('email,name\nana\u200b@example.org,Ana\n');
  for (const one of Object.values(read)) expect(one).toMatch(/ana\\u\{?200b\}?@example\.org/);
});

test.each(['--to', '--cc', '--reply-to'])(
  '%s of a line may have invisible characters around addresses, as pages have',
  async (flag) => {
    const others = flag === '--to' ? [] : ['--to', 'ben@example.org'];
    const { exitCode, stdout } = await createWorld().run([
      ...'email send --sandbox --from hello@example.com --subject s --text t --dry-run'.split(' '),
      ...[...others, flag, '\u200bana@example.org\u00a0,\u2060 Eva <eva@example.org>\u200b'],
    ]);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('"ana@example.org",\n    "Eva <eva@example.org>"');
  },
);

describe('a file without a header', () => {
  const withAddress = 'has no header: its first line has the address ana@example.org';

  test.each([
    ['one column', 'ana@example.org\nben@example.org\ncy@example.org\n', 'email'],
    ['names', 'Ana,ana@example.org\nBen,ben@example.org\nCy,cy@example.org\n', 'column1,email'],
    [
      'semicolons',
      'ana@example.org;Ana\nben@example.org;Ben\ncy@example.org;Cy\n',
      'email;column2',
    ],
    ['tabs', 'ana@example.org\tAna\nben@example.org\tBen\ncy@example.org\tCy\n', 'email\tcolumn2'],
  ])(
    'of %s is an error of every command, which names nobody as a column',
    async (_, rows, header) => {
      const read = await readBy(rows);
      for (const error of Object.values(read)) {
        expect(error).toContain(withAddress);
        expect(error).not.toMatch(/--(?:map|to)\b/);
        expect(JSON.stringify(error).replaceAll('\\\\', '\\')).toContain(
          JSON.stringify(header).slice(1, -1),
        );
      }
    },
  );

  test.each([
    'contact import list.txt --map email=ana@example.org --book People --yes --sandbox --json',
    'contact sync list.txt --map email=ana@example.org --book People --yes --sandbox --json',
    'email check hi.txt --rows list.txt --json',
    'email batch list.txt --from a@example.com --subject Hi --text Hi --to me@example.org --preview 9 --sandbox --json',
  ])('is one, whatever names its columns: %s', async (line) => {
    const world = createWorld();
    fileIn(world, 'list.txt', 'ana@example.org\nben@example.org\n');
    fileIn(world, 'hi.txt', 'Hi');
    await world.run('contact book create --name People --double-opt-in off --sandbox');
    const outcome = await world.run(line);
    expect(outcome.exitCode).toBe(2);
    expect(outcome.stderr).toContain(`list.txt ${withAddress}`);
  });

  test('is one in a batch whose --to names an address as a column', async () => {
    const world = createWorld();
    fileIn(world, 'list.txt', 'ana@example.org\nben@example.org\n');
    const words = 'email batch list.txt --from a@example.com --subject Hi --text Hi --sandbox --to';
    const { stderr } = await world.run([...words.split(' '), '{{ ["ana@example.org"] }}', '--yes']);
    expect(stderr).toContain(withAddress);
  });

  test(
    'gets one by the line of the hint, so that nobody is lost',
    needing(works('bash --version', 'bash')),
    async () => {
      const world = createWorld();
      fileIn(world, "li'st.txt", 'ana@example.org;Ana\nben@example.org;Ben\ncy@example.org;Cy\n');
      await world.run('contact book create --name People --double-opt-in off --sandbox');
      const line = ['--book', 'People', '--yes', '--sandbox', '--ignore-column', 'column2'];
      const failed = await world.run(['contact', 'import', "li'st.txt", ...line]);
      const [command = ''] = /^printf .*$/m.exec(failed.stderr) ?? [];
      execFileSync('bash', ['-c', command], { cwd: world.home });
      const copy = "li'st-with-header.txt";
      const batch = await world.run([
        ...['email', 'batch', copy, '--from', 'a@example.com', '--subject', 'Hi {{ column2 }}'],
        ...['--text', 'Hi', '--preview', '9', '--fields', 'to,subject', '--no-header', '--sandbox'],
      ]);
      expect(batch.stdout).toBe(
        'ana@example.org\tHi Ana\nben@example.org\tHi Ben\ncy@example.org\tHi Cy\n',
      );
    },
  );

  test('is read where only addresses are meant: one per line', async () => {
    const world = createWorld();
    fileIn(world, 'list.txt', 'ana@example.org\nben@example.org\n');
    fileIn(world, 'two.csv', 'ana@example.org,Ana\nben@example.org,Ben\n');
    await world.run('profile use work');
    const denied = await world.run('policy set --deny-to-file list.txt --json');
    expect(denied.stdout).toContain('ana@example.org');
    await world.run('contact book create --name People --double-opt-in off --sandbox');
    const exported = 'contact export --book People --sandbox --json --emails-from';
    expect((await world.run(`${exported} list.txt`)).stderr).not.toContain('header');
    expect((await world.run(`${exported} two.csv`)).stderr).toContain(withAddress);
  });
});
