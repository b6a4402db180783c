import { attempt } from '../../../shared/attempt.ts';
import { localTime } from '../../base/text/local-time.ts';
import { grouped } from '../../base/text/quantity.ts';
import { shellQuote } from '../../base/text/shell-quote.ts';
import { visible } from '../../base/text/visible.ts';
import { findInLog, type LogReader } from './find-in-log.ts';
import type { LogEntry } from './log-shapes.ts';

interface Reader extends LogReader {
  readonly format: () => string;
  readonly flags: LogReader['flags'] & { readonly fields?: readonly string[] | undefined };
  readonly timeZone: () => Promise<string>;
}

/** The newest entries about one thing among which the one that mailed is looked for. */
const newest = 20;

/**
 * A note about the command of this machine that mailed something, or else changed it last: "From here by ana, 09:12: …".
 * None if the log does not know it, cannot be read, or if no text is shown. Never throws.
 */
export async function fromHere(
  context: Reader,
  about: { readonly id: string } | { readonly run: string },
): Promise<readonly string[]> {
  if (context.format() !== 'table' || context.flags.fields !== undefined) return [];
  const found = attempt(() => findInLog(context, { ...about, most: newest }), []);
  const left = found.filter(({ requests }) => requests > 0);
  const entry = left.find(({ effect }) => effect === 'mails') ?? left[0];
  return entry === undefined
    ? []
    : [inWords(entry, context, await context.timeZone().catch(() => 'UTC'))];
}

function inWords(found: LogEntry, { system, flags }: Reader, timeZone: string): string {
  const { at, user, command, recipients, directory, digest, entry } = found;
  const time = localTime(new Date(at), timeZone);
  const [today] = localTime(new Date(system.now()), timeZone).split(' ');
  const when = time.replace(`${today} `, '');
  const to =
    recipients === null || recipients === 0
      ? ''
      : `, to ${recipients === 1 ? '1 person' : `${grouped(recipients)} people`}`;
  const more = [
    'mailer',
    'log',
    'get',
    String(entry),
    ...(flags.sandbox === true ? ['--sandbox'] : []),
  ];
  return [
    `From here by ${visible(user ?? 'an unknown user')}, ${when}: ${visible(command)}${to}, in ${visible(directory)}.`,
    ...(digest === null ? [] : [`Digest: ${digest}.`]),
    `Details: ${shellQuote(more, system)}`,
  ].join(' ');
}
