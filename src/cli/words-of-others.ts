import { groups, manifest } from '../commands/manifest.ts';
import type { Level, Line } from './command-line.ts';

/**
 * What people mean by words of other tools, the likeliest first. A word that sounds harmless never stands for a
 * command that mails.
 */
const commandsMeant: Readonly<Record<string, readonly string[]>> = {
  show: ['get', 'list'],
  view: ['get', 'list'],
  info: ['get', 'list'],
  describe: ['get', 'list'],
  search: ['list'],
  find: ['list'],
  query: ['list'],
  log: ['list', 'sandbox logs'],
  logs: ['list', 'sandbox logs'],
  history: ['get', 'list'],
  watch: ['get', 'list'],
  follow: ['watch', 'get'],
  tail: ['watch', 'get'],
  status: ['get', 'whoami'],
  new: ['create', 'add'],
  insert: ['add', 'create'],
  remove: ['delete'],
  destroy: ['delete'],
  edit: ['update', 'reschedule', 'set'],
  change: ['update', 'reschedule', 'set'],
  modify: ['update', 'reschedule', 'set'],
  move: ['rename', 'reschedule'],
  start: ['schedule', 'sandbox start'],
  launch: ['schedule'],
  send: ['schedule', 'email send'],
  stop: ['pause', 'cancel'],
  cancel: ['pause', 'delete'],
  continue: ['resume'],
  upload: ['import', 'push'],
  download: ['export', 'pull'],
  switch: ['use'],
  select: ['use'],
  auth: ['login'],
  signin: ['login'],
  init: ['login'],
  setup: ['login'],
  'auth login': ['login'],
  'auth logout': ['logout'],
  'auth status': ['whoami'],
  'auth list': ['profile list'],
  'auth switch': ['profile use'],
};

/** The command or group that the line's unknown word stands for in other tools, with all its words. */
export function commandMeant({ words, level: { path } }: Line): string | undefined {
  const typed = words.filter(({ kind }) => kind === 'command').map(({ text }) => text);
  const argument = words.find(({ kind }) => kind === 'argument')?.text;
  const unknown = typed.at(-1) ?? '';
  if (path.length === 0 && unknown === 'version') return '--version';
  const meant = commandsMeant[`${unknown} ${argument}`] ?? commandsMeant[unknown] ?? [];
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
const flagsMeant: Readonly<Record<string, readonly string[]>> = {
  '--at': ['--scheduled-at'],
  '--schedule': ['--scheduled-at'],
  '--when': ['--scheduled-at'],
  '--attachment': ['--attach'],
  '--attachments': ['--attach'],
  '--body': ['--text', '--html', '--input'],
  '--body-file': ['--text-file', '--html-file'],
  '--message': ['--text'],
  '--title': ['--subject'],
  '--recipient': ['--to'],
  '--sender': ['--from'],
  '--force': ['--yes'],
  '--verbose': ['--debug'],
  '-v': ['--debug'],
  '--silent': ['--quiet'],
  '-L': ['--limit'],
  '-n': ['--limit'],
  '--filter': ['--jq'],
  '--query': ['--search', '--jq'],
  '-t': ['--template', '--jq'],
  '--template': ['--jq'],
  '--slurp': ['--paginate', '--all'],
  '-o': ['--output', '--json'],
  '--output': ['--json'],
  '--format': ['--json'],
  '--list': ['--book'],
};

/** The flag of this command that one of another tool stands for. */
export function flagMeant(flag: string, { declared }: Pick<Level, 'declared'>): string | undefined {
  return flagsMeant[flag]?.find((name) => declared.options.some(({ long }) => long === name));
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
