import { groups, manifest } from '../commands/manifest.ts';
import type { Level, Line } from './command-line.ts';

/**
 * What people mean by words of other tools, the likeliest first. A word that sounds harmless never stands for a
 * command that mails.
 */
const commandsMeant = byWord({
  'show, view, info, describe, history, watch': ['get', 'list'],
  'search, find, query': ['list'],
  'log, logs': ['list', 'sandbox logs'],
  'follow, tail': ['watch', 'get'],
  status: ['get', 'whoami'],
  'new': ['create', 'add'],
  insert: ['add', 'create'],
  'remove, destroy': ['delete'],
  'edit, change, modify': ['update', 'reschedule', 'set'],
  move: ['rename', 'reschedule'],
  start: ['schedule', 'sandbox start'],
  launch: ['schedule'],
  send: ['schedule', 'email send'],
  stop: ['pause', 'cancel'],
  cancel: ['pause', 'delete'],
  continue: ['resume'],
  upload: ['import', 'push'],
  download: ['export', 'pull'],
  'switch, select': ['use'],
  'auth, signin, init, setup, auth login': ['login'],
  'auth logout': ['logout'],
  'auth status': ['whoami'],
  'auth list': ['profile list'],
  'auth switch': ['profile use'],
});

/** The command or group that the line's unknown word stands for in other tools, with all its words. */
export function commandMeant({ words, level: { path } }: Line): string | undefined {
  const typed = words.filter(({ kind }) => kind === 'command').map(({ text }) => text);
  const argument = words.find(({ kind }) => kind === 'argument')?.text;
  const unknown = typed.at(-1) ?? '';
  const meant = commandsMeant.get(`${unknown} ${argument}`) ?? commandsMeant.get(unknown) ?? [];
  const known = new Set([...manifest.map((one) => one.words.join(' ')), ...Object.keys(groups)]);
  const here = meant.map((name) => [...path, name].join(' '));
  return [...here, ...meant.filter((name) => path.length === 0 || name.includes(' '))].find(
    (name) => known.has(name),
  );
}

/** The last words of commands that mail. */
const mailing = ['send', 'batch', 'schedule', 'resume', 'test', 'sendmail'];

/**
 * Whether a word that is spelt like a command may be taken for it. For commands that mail, only letters may be missing,
 * doubled or swapped: `sned` is `send`, but `sent` and `see` are words of their own.
 */
export function maySuggest(typed: string, command: string): boolean {
  if (!mailing.includes(command)) return true;
  const letters = (word: string) => [...word].sort().join('');
  return (
    letters(typed) === letters(command) || isWithin(typed, command) || isWithin(command, typed)
  );
}

/** Whether all letters of a word are in another, in the same order. */
function isWithin(short: string, long: string): boolean {
  let at = 0;
  for (const letter of long) if (letter === short[at]) at++;
  return at === short.length;
}

/** Flags of other tools, and what they are called here, the likeliest first. */
const flagsMeant = byWord({
  '--at, --schedule, --when': ['--scheduled-at'],
  '--attachment, --attachments': ['--attach'],
  '--body': ['--text', '--html', '--input'],
  '--body-file': ['--text-file', '--html-file'],
  '--message': ['--text'],
  '--title': ['--subject'],
  '--recipient': ['--to'],
  '--sender': ['--from'],
  '--force': ['--yes'],
  '--verbose, -v': ['--debug'],
  '--silent': ['--quiet'],
  '-L, -n': ['--limit'],
  '--filter, --template': ['--jq'],
  '--query': ['--search', '--jq'],
  '-t': ['--template', '--jq'],
  '--slurp': ['--paginate', '--all'],
  '-o': ['--output', '--json'],
  '--output, --format': ['--json'],
  '--list': ['--book'],
});

/** The flag of this command that one of another tool stands for. */
export function flagMeant(flag: string, { declared }: Pick<Level, 'declared'>): string | undefined {
  return flagsMeant.get(flag)?.find((name) => declared.options.some(({ long }) => long === name));
}

/** How to write what `gh` writes in another way: values of `--json` and `-q`, and `-X`. Undefined if it is not that. */
export function valueMeant({ words, level: { path } }: Line): string | undefined {
  const method = words.findIndex(({ text }) => text === '-X');
  if (path.join(' ') === 'api' && method >= 0) {
    return `mailer api ${words[method + 1]?.text ?? 'METHOD'} PATH`;
  }
  for (const [index, { text, kind }] of words.entries()) {
    const before = words[index - 1];
    if (kind !== 'argument' || before?.kind !== 'flag') continue;
    if (before.text === '--json' && /^[\w.]+(,[\w.]+)*$/.test(text))
      return `--json --fields ${text}`;
    if (before.text === '-q' && /^[.[{]/.test(text))
      return `--jq '${text.replaceAll("'", "'\\''")}'`;
  }
  return undefined;
}

/** A table by each of the words that its keys list. */
function byWord<Meaning>(table: Readonly<Record<string, Meaning>>): ReadonlyMap<string, Meaning> {
  const rows = Object.entries(table);
  return new Map(
    rows.flatMap(([words, meaning]) => words.split(', ').map((one) => [one, meaning])),
  );
}
