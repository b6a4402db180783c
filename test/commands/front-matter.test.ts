import { describe, expect, test } from 'vitest';
import { fileIn } from '../support/connected.ts';
import { createWorld } from '../support/run.ts';

/** What each command that reads front matter makes of a file: its exit code, and what it prints. */
const commands: Readonly<Record<string, (text: string) => Promise<Outcome>>> = {
  'email send': (text) =>
    run(text, 'email send --sandbox --dry-run --to ana@example.org --markdown-file a.md'),
  'email batch': (text) =>
    run(text, 'email batch a.csv --sandbox --markdown-file a.md --preview 1'),
  'campaign create': (text) =>
    run(
      text,
      'campaign create --sandbox --dry-run --name N --book book_customers --markdown-file a.md',
    ),
  'email check': (text) => run(text, 'email check a.md'),
  'template push': (text) =>
    run(
      text.replace('from: hello@example.com', 'name: Order'),
      'template push t --sandbox --dry-run',
    ),
};

interface Outcome {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function run(text: string, words: string): Promise<Outcome> {
  const world = createWorld();
  fileIn(world, 'a.csv', 'to,number\nana@example.org,42\n');
  fileIn(world, 'a.md', text);
  fileIn(world, 't/a.html', text);
  return await world.run(words);
}

/** A file with this subject. */
const withSubject = (subject: string) =>
  `---\nfrom: hello@example.com\nsubject: ${subject}\n---\nHi\n`;

describe.each(Object.entries(commands))('%s', (_, outcomeOf) => {
  test('stops at a value that YAML cuts off', async () => {
    const { exitCode, stderr } = await outcomeOf(withSubject('Order #42 shipped'));
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(
      /a\.(md|html): line 3: subject is "Order" in YAML, without "#42 shipped"; put the value in quotes/,
    );
  });

  test('stops at a value that YAML cannot read, with its line', async () => {
    const { exitCode, stderr } = await outcomeOf(withSubject('Re: your order'));
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(
      /a\.(md|html): cannot be read as YAML: line 3: .*; put the value in quotes: subject: "Re: your order"/,
    );
  });

  test('stops at what is almost front matter', async () => {
    const { exitCode, stderr } = await outcomeOf(`\n${withSubject('Hi')}`);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(
      /a\.(md|html): line 2: this looks like front matter, but it does not begin in the first line/,
    );
  });

  test('reads values in quotes', async () => {
    const { exitCode, stderr } = await outcomeOf(withSubject('"Order #42: 01"'));
    expect(exitCode, stderr).not.toBe(2);
  });
});

async function sent(text: string) {
  const outcome = await run(
    text,
    'email send --sandbox --dry-run --json --to ana@example.org --markdown-file a.md',
  );
  return { ...outcome, body: outcome.exitCode === 0 ? JSON.parse(outcome.stdout).body : undefined };
}

test.each([
  ['01', 'is 1 in YAML: 01'],
  ['0x10', 'is 16 in YAML: 0x10'],
  ['1e3', 'is 1000 in YAML: 1e3'],
  ['1_000', 'is 1000 in YAML: 1_000'],
  ['12:30', 'is 750 in YAML: 12:30'],
  ['yes', 'is true in YAML: yes'],
  ['No', 'is false in YAML: No'],
  ['off', 'is false in YAML: off'],
  ['2026-03-01', 'is a date in YAML: 2026-03-01'],
  ['~', 'is nothing in YAML: ~'],
  ['null', 'is nothing in YAML: null'],
  ['#sale', 'is "" in YAML, without "#sale"'],
  ['A # b', 'is "A" in YAML, without "# b"'],
  ['&x Sale', 'is "Sale" in YAML, without its first word'],
])('the subject %s is an error that names its line', async (subject, problem) => {
  const { stderr, exitCode } = await sent(withSubject(subject));
  expect(exitCode).toBe(2);
  expect(JSON.parse(stderr).error.message).toBe(
    `a.md: line 3: subject ${problem}; put the value in quotes`,
  );
});

test.each([
  '*Sale* today',
  '!new Sale',
  '[Acme] News',
  '> 50 % off',
  '- A',
  '@ana: hi',
  '`code`',
  '%x',
  '{{ name }}',
  'A: "b"',
  '? A',
])('the subject %s is an error that shows it in quotes', async (subject) => {
  const { stderr, exitCode } = await sent(withSubject(subject));
  expect(exitCode).toBe(2);
  const { message } = JSON.parse(stderr).error;
  expect(message).toMatch(/^a\.md: .*line 3/);
  const quoted = /put the value in quotes: (.*)$/.exec(message)?.[1] ?? '';
  const corrected = await sent(withSubject(quoted.replace('subject: ', '')));
  expect(corrected.body ?? JSON.parse(corrected.stderr).error.message).toEqual(
    subject.includes('{{') ? expect.stringContaining('{{') : expect.objectContaining({ subject }),
  );
});

test.each([
  '2026',
  'true',
  'Order 42',
  'C#',
  'a:b',
  "It's 5",
  'x - y',
  '1.5',
  'Tea & more',
  '-5 %',
])('the subject %s is what it looks like', async (subject) => {
  expect((await sent(withSubject(subject))).body).toMatchObject({ subject });
});

test('a field that is there twice is an error that names its line', async () => {
  const { exitCode, stderr } = await sent('---\nsubject: A\nsubject: B\n---\nHi\n');
  expect([exitCode, JSON.parse(stderr).error.message]).toEqual([
    2,
    'a.md: cannot be read as YAML: line 3: the field is there a second time',
  ]);
});

test('comments are left out where they cannot be meant as text', async () => {
  const text = '---\n# about\nsubject: "A" # b\n# c\nfrom: hello@example.com\n---\nHi\n';
  expect((await sent(text)).body).toMatchObject({ subject: 'A', text: 'Hi' });
});

test.each(['>', '>-', '>+', '|', '|-'])(
  'a value in a block, with %s, has no line break at its end',
  async (mark) => {
    const { body } = await sent(
      `---\nsubject: ${mark}\n  March\n\nfrom: hello@example.com\n---\nHi\n`,
    );
    expect(body).toMatchObject({ subject: 'March' });
  },
);

test('lines of a folded value are one line; those of another block are an error that names the file', async () => {
  const folded = '---\nsubject: >\n  March\n  news\nfrom: hello@example.com\n---\nHi\n';
  expect((await sent(folded)).body).toMatchObject({ subject: 'March news' });
  const { exitCode, stderr } = await sent(folded.replace('>', '|'));
  expect([exitCode, JSON.parse(stderr).error.message]).toEqual([
    2,
    expect.stringContaining('a.md: subject'),
  ]);
});

const fields = 'subject: Hi\nfrom: hello@example.com\n';

test.each([
  [
    'a blank line',
    `\n---\n${fields}---\nHi\n`,
    'line 2: this looks like front matter, but it does not begin in the first line',
  ],
  ['blanks', `  \n\t\n---\n${fields}---\nHi\n`, 'line 3'],
  ['another byte order mark', `\ufeff\ufeff---\n${fields}---\nHi\n`, 'line 1'],
  [
    'TOML',
    '+++\nsubject = "internal"\n+++\nHi\n',
    'line 1: this looks like front matter, but it begins with +++ instead of ---',
  ],
  [
    'fields of another program',
    '+++\ntitle = "internal"\n\n[params]\ndate = 2026-01-01\n+++\nHi\n',
    'line 1: this looks like front matter, but it begins with +++ instead of ---',
  ],
  [
    'no end',
    `---\n${fields}\nHi\n`,
    'line 1: this looks like front matter, but no line of --- ends it',
  ],
  ['an end like three dots', `---\n${fields}...\nHi\n`, 'no line of --- ends it'],
  ['an indented line', ` ---\n${fields}---\nHi\n`, 'line 1'],
  ['spaced hyphens', `- - -\n${fields}- - -\nHi\n`, 'it begins with - - - instead of ---'],
  ['two hyphens', `--\n${fields}--\nHi\n`, 'it begins with -- instead of ---'],
  ['four hyphens', `----\n${fields}----\nHi\n`, 'it begins with ---- instead of ---'],
  ['an em dash', `—\n${fields}—\nHi\n`, 'it begins with — instead of ---'],
  ['a block of code', `\`\`\`yaml\n${fields}\`\`\`\nHi\n`, 'it begins with ```yaml instead of ---'],
  [
    'no beginning',
    `${fields}---\nHi\n`,
    'line 1: this looks like front matter, but there is no line of --- before it',
  ],
  ['capitals', '+++\nSubject: Hi\n+++\nHi\n', 'line 1'],
])('front matter with %s is an error', async (_, text, problem) => {
  const { exitCode, stderr } = await sent(text);
  expect([exitCode, JSON.parse(stderr).error.message]).toEqual([
    2,
    expect.stringContaining(`a.md: ${problem.startsWith('line') ? problem : ''}`),
  ]);
  expect(stderr).toContain(problem);
  expect(JSON.parse(stderr).error.hint).toContain('write ***');
});

test('the address of a sender that is none is named by its file', async () => {
  const { stderr } = await sent('---\nsubject: Hi\nfrom: nobody\n---\nHi\n');
  expect(JSON.parse(stderr).error.message).toMatch(/^a\.md: from: /);
});

test('a template that was pulled is pushed as it was', async () => {
  const world = createWorld();
  const subjects = ['yes', '01', '2026-03-01', 'A #1', '~', 'Re: x', '12:30', '- a', '"', "it's"];
  for (const [index, subject] of subjects.entries()) {
    const words = [
      'template',
      'create',
      '--name',
      `T${index}`,
      '--subject',
      subject,
      '--html',
      '<p>x',
    ];
    expect((await world.run([...words, '--sandbox'])).exitCode).toBe(0);
  }
  expect((await world.run('template pull t --sandbox')).exitCode).toBe(0);
  const { exitCode, stdout } = await world.run('template push t --sandbox --json');
  expect([exitCode, stdout]).toEqual([
    0,
    expect.not.stringMatching(/"result":"(new|changed|created)"/),
  ]);
});

test.each([
  '---\nA rule first\n',
  'Subject: to change\n\nText\n',
  '***\nsubject: x\n***\nHi\n',
  '- a\n- b\n\nfrom: x\n',
  '+++ added\nsubject: x\n',
])('%j is text', async (text) => {
  const words =
    'email send --sandbox --dry-run --json --from hello@example.com --to ana@example.org --subject s --markdown-file a.md';
  expect((await run(text, words)).exitCode).toBe(0);
});

test.each([
  'email send --from a@example.com --to b@example.org --subject s',
  'email batch a.csv --from a@example.com --subject s',
  'campaign create --name N --book b --from a@example.com --subject s',
  'template create --name N --subject s',
])('%s: HTML with front matter is an error, because people would read it', async (words) => {
  const world = createWorld();
  fileIn(world, 'a.csv', 'to\nana@example.org\n');
  fileIn(world, 'a.html', '---\nname: Order\nsubject: "Hi"\n---\n<p>Hi</p>\n');
  fileIn(world, 'b.html', '---\n<p>Hi</p>\nname: x\n');
  fileIn(world, 'c.html', '---\r\nlayout: shop.njk\r\ntitle: Order\r\n---\r\n<p>Hi</p>\r\n');
  fileIn(world, 'd.html', '+++\ntitle = "Order"\n+++\n<p>Hi</p>\n');
  const line = `${words} --sandbox --dry-run --html-file`;
  for (const file of ['a.html', 'c.html', 'd.html']) {
    const { exitCode, stderr } = await world.run(`${line} ${file}`);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('begins with front matter')]);
  }
  expect((await world.run(`${line} a.html --literal`)).exitCode).toBe(0);
  expect((await world.run(`${line} b.html`)).stderr).not.toContain('front matter');
});
