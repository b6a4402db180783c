import { attempt } from '../../../shared/attempt.ts';
import { type ShellSystem, shellQuote } from '../../base/text/shell-quote.ts';

/** A word of a command line, as the program has read it. */
interface ReadWord {
  readonly text: string;
  readonly kind: string;
}

/** Flags whose values say what was done, and hold neither texts nor secrets. Of all others, only the name is kept. */
const shownFlags = new Set(
  `--profile, --base-url, --book, --segment, --template, --campaign, --file, --scheduled-at, --timezone, --status, --since,
  --until, --expect, --expect-rows, --expect-contacts, --rate, --concurrency, --shard, --again, --row,
  --map, --ignore-column, --only-columns, --region, --reason, --timeout, --retries, --max-invalid, --max-missing,
  --wait-timeout, --results, --html-file, --text-file, --markdown-file, --mjml-file, --react-email, --eml, --subscribed,
  --double-opt-in, --encoding`
    .split(',')
    .map((flag) => flag.trim()),
);

/** The longest word that is kept, in characters. */
const longest = 200;

/** A command line for the log: without texts, secrets and addresses, which are beside it. */
export function loggedLine(words: readonly ReadWord[], system: ShellSystem) {
  const addresses: string[] = [];
  const masked = (word: string) => maskedWord(word, addresses);
  const shown = words.flatMap(({ text, kind }, index) => {
    if (kind === 'value') {
      const flag = words[index - 1]?.text ?? '';
      return shownFlags.has(flag) ? [masked(text)] : [];
    }
    if (kind !== 'flag') return [masked(text)];
    const [flag = '', value] = text.split(/=(.*)/s, 2);
    return value === undefined || !shownFlags.has(flag) ? [flag] : [`${flag}=${masked(value)}`];
  });
  return { line: shellQuote(['mailer', ...shown], system), addresses };
}

/** A word with each address replaced and added to `addresses`, without a query of a path, and not longer than a name. */
function maskedWord(word: string, addresses: string[]): string {
  const plain = word
    .replace(/\?.*/s, '?…')
    .replace(/[^\s<>"',;:/&=]+(?:@|%40)[^\s<>"',;:/&=]+/gi, (address) => {
      addresses.push(attempt(() => decodeURIComponent(address), address));
      return 'ADDRESS';
    });
  return plain.length > longest ? `${plain.slice(0, longest)}…` : plain;
}
