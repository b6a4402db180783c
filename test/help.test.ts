import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { reputationStates } from '../src/api/reputation-states.ts';
import { readLine } from '../src/cli/command-line.ts';
import { parse } from '../src/cli/parse.ts';
import { groups, manifest } from '../src/commands/manifest.ts';
import { exitCodes } from '../src/lib/base/errors.ts';
import { version } from '../src/lib/base/version.ts';
import { plainEffects, shapes } from '../src/sandbox/http/faults/fault.ts';
import { createWorld } from './support/run.ts';

const groupWords = Object.keys(groups).map((words) => words.split(' '));
const commandWords = manifest.map(({ words }) => words);
const pages = [[], ...groupWords, ...commandWords];
const named = (words: readonly string[]) => ['mailer', ...words].join(' ');

/** The pages that have been read: they are the same each time. */
const known = new Map<string, string>();

/** A help page, which must be a result and not an error. */
async function page(words: readonly string[]): Promise<string> {
  const line = words.join(' ');
  const before = known.get(line);
  if (before !== undefined) return before;
  const { exitCode, stdout, stderr } = await createWorld().run(words);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  known.set(line, stdout);
  return stdout;
}

/** Accepted by commands that use the service, and shown by `mailer help flags` only. */
const rarelyNeeded = /^--(allow-http|timeout|retries|version|no-color)$/;

/** Called by other programs, which expect their own single letters and exit codes. */
const ofOthers = new Set(['mailer sendmail']);

describe.each(pages.map((words) => [named(words), words] as const))('%s', (name, words) => {
  test('has a page of help, the same with -h and after help, which fits 80 columns', async () => {
    const file = `${['mailer', ...words].join('-')}.txt`;
    const text = await page([...words, '--help']);
    await expect(text).toMatchFileSnapshot(`help/${file}`);
    if (!ofOthers.has(name)) expect(await page([...words, '-h'])).toBe(text);
    expect(await page(['help', ...words])).toBe(text);
    const lines = text.split('\n');
    expect(lines[0]).toMatch(/^[A-Z].*\.$/);
    expect(lines[2]).toMatch(new RegExp(`^Usage: ${name}( |$)`));
    expect(lines).toContain('Examples:');
    // Examples are for copying, so they are not broken.
    const wide = lines.filter((line) => line.length > 80 && !line.startsWith('  $ '));
    expect(wide).toEqual([]);
    expect(lines.filter((line) => /\s$/.test(line))).toEqual([]);
    // Whoever adds a flag to a long page moves another one to those that are rarely needed.
    expect(lines.length - 1).toBeLessThanOrEqual(name === 'mailer email batch' ? 85 : 70);
  });

  test('names every flag that help flags explains', async () => {
    const text = await page([...words, '--help']);
    const rows = (await page(['help', 'flags', ...words])).matchAll(
      /^ {2}(?:-(\w), )?(--[\w-]+)/gm,
    );
    for (const [, short, long = ''] of rows) {
      if (rarelyNeeded.test(long)) continue;
      expect(text).toMatch(new RegExp(`(${short ? `-${short}|` : ''}${long})\\b(?!-)`));
    }
  });

  test('knows its version', async () => {
    expect(await page([...words, '--version'])).toBe(`${version}\n`);
    if (!ofOthers.has(name)) expect(await page([...words, '-V'])).toBe(`${version}\n`);
  });
});

test('the page of the program names every exit code', async () => {
  const [, listed = ''] = (await page(['--help'])).split('Exit codes: ');
  const named = [...listed.matchAll(/(\d+) [a-z]/g)].map(([, code]) => Number(code));
  expect(new Set(named)).toEqual(new Set([0, ...Object.values(exitCodes)]));
});

test('the states of --fail-on are named where it is explained', async () => {
  const help = await page(['reputation', 'events', '--help']);
  const explained = help.slice(help.indexOf('\n  --fail-on'), help.indexOf('Exit codes'));
  for (const state of reputationStates) expect(explained).toContain(state);
});

test.each([[], ...groupWords].map((words) => [named(words), words] as const))(
  '%s alone shows its page',
  async (_, words) => {
    expect(await page(words)).toBe(await page([...words, '--help']));
  },
);

describe('common flags', async () => {
  const { stdout } = await createWorld().run('help flags');
  /** Each flag on the page, with its value if it takes one. */
  const flags = [...stdout.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)( <.*?>)?/gm)].map(
    ([, flag = '', value]) => (value === undefined ? [flag] : [flag, '3']),
  );
  test('have a page that explains them and fits 80 columns', () => {
    expect(flags.map(([flag]) => flag)).toEqual(
      expect.arrayContaining(['--json', '--csv', '--dry-run', '--yes', '--retries', '--help']),
    );
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
  });

  test.each(manifest.map(({ words }) => [words.join(' '), words] as const))(
    'are refused by %s where its page does not name them, wherever they stand',
    async (name, words) => {
      const help = await page([...words, '--help']);
      const values =
        help
          .match(/^Usage: .*/m)?.[0]
          .match(/ <[^>]+>/g)
          ?.map((value) => /\w+(?=\|)/.exec(value)?.[0] ?? 'x') ?? [];
      for (const [flag = '', ...value] of flags) {
        if (/^--(help|quiet|yes)$/.test(flag) || rarelyNeeded.test(flag)) continue;
        if (new RegExp(`${flag}\\b(?!-)`).test(help)) continue;
        for (const line of [
          [...words, flag, ...value],
          [flag, ...value, ...words, ...values],
        ]) {
          const { exitCode, stdout, stderr } = await createWorld().run(line);
          const usage = ofOthers.has(named(words)) ? 64 : 2;
          expect({ exitCode, stdout }).toEqual({ exitCode: usage, stdout: '' });
          expect(stderr).toMatch(new RegExp(`${name} has no ${flag}\\b(?!-)`));
        }
      }
    },
  );

  test.each(pages.map((words) => [named(words), words] as const))(
    'of every command are named at the end of %s',
    async (name, words) => {
      const text = await page([...words, '--help']);
      const line = text.slice(text.lastIndexOf('Common flags (mailer help flags): '));
      const letters = ofOthers.has(name) ? [] : ['-h'];
      for (const flag of ['--json', '--jq', '--fields', '--profile', '--no-input', ...letters]) {
        expect(line).toMatch(new RegExp(`${flag}\\b`));
      }
      // Some commands explain --quiet themselves.
      expect(text).toMatch(/(-q|--quiet)\b/);
    },
  );

  test.each([
    ['email cancel', ['--dry-run', '--sandbox']],
    ['email send', ['-y', '--timezone']],
    ['sandbox reset', ['-y']],
    ['campaign delete', ['--dry-run', '-y']],
    ['login', ['--base-url']],
    ['profile list', ['--jsonl', '--csv', '--csv-safe']],
  ])('of some commands are named by %s', async (words, flags) => {
    const help = await page([...words.split(' '), '--help']);
    const line = help.slice(help.lastIndexOf('Common flags'));
    for (const flag of flags) expect(line.split(/\s/)).toContain(flag);
  });

  test.each(['email cancel --retries 1', 'login --timeout 3', 'email list --allow-http'])(
    'that few people need are accepted, though only mailer help flags shows them: %s',
    async (line) => {
      const { stderr } = await createWorld().run(line);
      expect(stderr).not.toContain('has no --');
    },
  );

  test.each([
    'sandbox reset --yes',
    'email send --yes --sandbox --from hello@example.com --to ana@example.org --subject Hi --text Hi',
  ])('of confirmations are accepted: %s', async (line) => {
    expect(await createWorld().run(line)).toMatchObject({ exitCode: 0 });
  });

  test.each([
    ['config path --retries 3', 'config path has no --retries'],
    ['--retries 3 config path', 'config path has no --retries'],
    ['login --sandbox', 'login has no --sandbox'],
    ['sandbox seed -x', 'sandbox seed has no -x'],
    ['email send --csv --json', 'email send has no --csv'],
    ['--foo', 'mailer has no --foo'],
  ])('%s: %s', async (line, message) => {
    const { exitCode, stderr } = await createWorld().run(line);
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining(message) });
  });
});

describe('colour', () => {
  const bold = '\u001b[1mExamples:\u001b[22m';
  const red = '\u001b[31mError:\u001b[39m ';

  test('on a terminal: bold headings, and Error in red', async () => {
    const world = createWorld();
    for (const line of ['email send --help', 'email', 'help']) {
      expect((await world.run(line, { terminal: 80 })).stdout).toContain(bold);
    }
    expect((await world.run('email sned', { terminal: 80 })).stderr).toMatch(`${red}unknown`);
  });

  test.each([
    ['--no-color', { terminal: 80 }],
    ['--json', {}],
    ['--json', { terminal: 80, env: { NO_COLOR: '1' } }],
    ['--json', { terminal: 80, env: { TERM: 'dumb' } }],
  ])('none with %s and %o', async (flag, options) => {
    const world = createWorld();
    expect((await world.run(`email send --help ${flag}`, options)).stdout).not.toContain('\u001b');
    expect((await world.run(`email sned ${flag}`, options)).stderr).not.toContain('\u001b');
  });
});

test.each([
  ['email help', ['email', '--help']],
  ['email help send', ['email', 'send', '--help']],
  ['contact book help delete', ['contact', 'book', 'delete', '--help']],
])('%s is help too', async (line, words) => {
  expect(await page(line.split(' '))).toBe(await page(words));
});

test('help can be the name of a campaign', async () => {
  const { exitCode, stderr } = await createWorld().run('campaign get help --sandbox');
  expect({ exitCode, stderr }).toEqual({
    exitCode: 4,
    stderr: expect.stringContaining('help'),
  });
});

test('a page is narrower on a narrow terminal, and at most 100 columns wide', async () => {
  const widest = async (terminal: number) => {
    const { stdout } = await createWorld().run('email send --help --no-color', { terminal });
    const lines = stdout.split('\n').filter((line) => !line.startsWith('  $ '));
    return Math.max(...lines.map((line) => line.length));
  };
  expect(await widest(60)).toBeLessThanOrEqual(60);
  expect(await widest(200)).toBeLessThanOrEqual(100);
  expect(await widest(200)).toBeGreaterThan(80);
});

test.each([
  ['help emial', "unknown command 'emial'", 'Did you mean email?'],
  ['help email sned', "unknown command 'sned'", 'Did you mean send?'],
  ['help flags email sned', "unknown command 'sned'", 'Did you mean send?'],
  ['email help sned', "unknown command 'sned'", 'Did you mean send?'],
  ['email sned --help', "unknown command 'sned'", 'Did you mean send?'],
])('%s suggests the nearest command', async (words, message, hint) => {
  const { exitCode, stdout, stderr } = await createWorld().run(words);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toBe(`Error: ${message}\nHint: ${hint}\n`);
});

/** The arguments of mailer in each example of a page. */
async function examplesOf(words: readonly string[]): Promise<string[][]> {
  const lines = (await page([...words, '--help'])).split('\n');
  return lines.filter((line) => line.startsWith('  $ ')).map((line) => mailerWords(line.slice(4)));
}

/** The arguments that a shell would pass to mailer, up to the next program or redirection. */
function mailerWords(line: string): string[] {
  const [, rest] = /(?:^|[\s(])mailer((?:"[^"]*"|'[^']*'|[^|<>)"'])*)/.exec(line) ?? [];
  if (rest === undefined) throw new Error(`mailer is not called in: ${line}`);
  return [...rest.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g)].map(([word]) =>
    word.replace(/"([^"]*)"|'([^']*)'/g, (_, double, single) => double ?? single),
  );
}

test('the page explains the effects of --fault and the forms of a body', async () => {
  const help = await page(['sandbox', 'start', '--help']);
  const explained = help.slice(help.indexOf('\nFaults:'), help.indexOf('\nmailer help flags'));
  for (const effect of plainEffects) expect(explained).toContain(`  ${effect}  `);
  for (const shape of shapes) expect(explained).toContain(shape);
});

test('examples are split as a shell does', () => {
  expect(mailerWords('report | mailer email send --subject "It\'s 5 < 6" -q | cat')).toEqual([
    ...['email', 'send', '--subject', "It's 5 < 6", '-q'],
  ]);
  expect(mailerWords('rm -r "$(mailer sandbox path)"')).toEqual(['sandbox', 'path']);
});

describe.each(pages.map((words) => [named(words), words] as const))(
  'the examples of %s',
  (_, words) => {
    test('exist, and are command lines of it or of a command below', async () => {
      const examples = await examplesOf(words);
      expect(examples.length).toBeGreaterThan(0);
      for (const example of examples) {
        expect(example.slice(0, words.length)).toEqual(words);
        expect(parse(await readLine(example), { width: 80, color: false })).toBeDefined();
      }
    });
  },
);

const writing: [name: string, words: readonly string[]][] = [];
for (const { words, load } of manifest) {
  const { command } = await load();
  // Nobody knows a run's name in advance, nor a campaign to replace; their own tests have --dry-run.
  if (words[0] === 'run' || named(words) === 'mailer campaign replace') continue;
  if (command.takes?.includes('dry runs')) writing.push([named(words), words]);
}

describe('the examples of a command that writes', () => {
  test.each(writing)('%s are requests that could be sent', async (_, words) => {
    for (const example of await examplesOf(words)) {
      const world = createWorld();
      for (const [name, text] of Object.entries(exampleFiles)) {
        writeFileSync(join(world.home, name), text);
      }
      await world.run(['config', 'set', 'from', 'hello@example.com']);
      const message = 'To: ana@example.org\n\nHello\n';
      const isMessage = example[0] === 'sendmail';
      const isList = example.includes('-') && example[0] === 'contact';
      const stdin =
        isMessage || isList
          ? isList
            ? 'ana@example.org\n'
            : message
          : ['email batch', 'api POST'].includes(example.slice(0, 2).join(' '))
            ? emailsJson
            : 'Hello';
      const { exitCode, stdout, stderr } = await world.run([...example, '--dry-run'], { stdin });
      expect({ example, exitCode }).toEqual({ example, exitCode: 0 });
      const told =
        /^(--scheduled-at: .* means .*\n)?(A dry run looks nothing up\b.*\n|The .* would be looked up .*\n|\d+ rows?\. The book was not read.*\n)*Dry run: nothing was sent\.\n$/;
      expect(stderr).toMatch(example.includes('--quiet') ? /^$/ : told);
      expect(stdout).toMatch(example[0] === 'api' ? /^[A-Z]+ / : /^(POST|PUT|PATCH|DELETE) /);
    }
  });
});

const emailsJson = JSON.stringify([
  { to: 'ana@example.org', from: 'hello@example.com', subject: 'Hi', text: 'Hello' },
]);

/** The files that examples mention. */
const exampleFiles: Readonly<Record<string, string>> = {
  'emails.json': emailsJson,
  'emails.jsonl': emailsJson.slice(1, -1),
  'customers.csv': 'email,plan\nana@example.org,pro\n',
  'people.csv': 'to,name\nana@example.org,Ana\n',
  'hi.html': '<p>Hi {{ name }}</p>',
  'welcome.html': '<p>Welcome, {{name}}</p>',
  'march.html': '<p>News</p><a href="{{usesend_unsubscribe_url}}">Unsubscribe</a>',
  'march.json': JSON.stringify({
    name: 'March',
    from: 'hello@example.com',
    subject: 'News',
    contactBookId: 'book_customers',
    html: '<a href="{{usesend_unsubscribe_url}}">Unsubscribe</a>',
  }),
};
