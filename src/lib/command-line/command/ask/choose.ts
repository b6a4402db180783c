import { UsageError } from '../../../base/errors.ts';
import type { Choice } from '../../../base/terminal/prompts.ts';
import { cut } from '../../../base/text/flow.ts';
import { visible } from '../../../base/text/visible.ts';
import { candidatesOf } from '../../completion/candidates.ts';
import { described } from '../../completion/described.ts';
import {
  type Candidate,
  type Choosable,
  type ChoosableSource,
  isOwn,
} from '../../completion/offer.ts';
import type { Context } from '../context.ts';

/** Each kind in words: one, several, and what to do if there is none. */
const kinds: Readonly<
  Record<ChoosableSource, readonly [one: string, several: string, ifNone: string]>
> = {
  domains: ['Domain', 'domains', 'To add one: mailer domain add example.com --region us-east-1'],
  campaigns: ['Campaign', 'campaigns', 'To create one: mailer campaign create'],
  books: ['Contact book', 'contact books', 'To create one: mailer contact book create'],
  contacts: ['Contact', 'contacts in this book', 'To add one: mailer contact add'],
  templates: ['Template', 'templates', 'To create one: mailer template create'],
  segments: ['Segment', 'segments', 'To create one: mailer segment create'],
  emails: ['Email', 'emails', 'To send one: mailer email send'],
  'scheduled emails': [
    'Scheduled email',
    'scheduled emails among the latest',
    'To list more of them: mailer email list --all',
  ],
  profiles: ['Profile', 'profiles', 'To create one: mailer login'],
};

/**
 * Lets a person choose one item of a kind. Returns its name if that is unique, else its id. `book`
 * is the contacts' book, `another` a choice below all others. Throws a `UsageError` if there is nothing to choose.
 */
export async function choose(
  context: Context,
  kind: Choosable,
  book?: string,
  another?: Choice,
): Promise<string> {
  const [one, several, ifNone] = isOwn(kind) ? [kind.one, kind.several, kind.ifNone] : kinds[kind];
  const all = await thoseOf(context, kind, book);
  const candidates = all.filter(({ second }) => second !== true);
  if (candidates.length === 0 && another === undefined)
    throw new UsageError(`There are no ${several}.`, { hint: ifNone });
  const choices = await choicesOf(candidates, context.system.stderr.columns ?? 0);
  return await context.prompts.choose(one, (typed) => [
    ...choicesWith(choices, typed),
    ...(another === undefined ? [] : [another]),
  ]);
}

/** The choices with every typed word in their name or line, ignoring case. */
export function choicesWith(choices: readonly Choice[], typed: string): readonly Choice[] {
  const words = typed.toLowerCase().split(/\s+/);
  return choices.filter(({ name, line }) => {
    const text = `${name} ${line}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/**
 * Columns beside a line of a list: the mark of the active line, and the last column, which may
 * wrap.
 */
const margin = 3;

/** The most of a line that a name takes if there is a description. */
const mostOfName = 0.6;

/** Candidates as choices, with their descriptions in a column. */
export async function choicesOf(
  candidates: readonly Candidate[],
  columns: number,
): Promise<readonly Choice[]> {
  const width = (columns > 0 ? columns : 80) - margin;
  const shown = candidates.map(({ value, description }) => ({
    value: cut(visible(value), description === '' ? width : Math.floor(width * mostOfName)),
    description: visible(description),
  }));
  const lines = await described(shown, width, ({ description }) => description);
  return candidates.map(({ value }, index) => ({
    value,
    line: lines[index] ?? visible(value),
    name: visible(value),
  }));
}

async function thoseOf(
  context: Context,
  kind: Choosable,
  book: string | undefined,
): Promise<readonly Candidate[]> {
  if (isOwn(kind)) return await kind.find(context.flags, context.system);
  if (kind === 'profiles') return await profiles(context);
  return await candidatesOf(kind, (id, input, options) => context.call(id, input, options), book);
}

async function profiles(context: Context): Promise<readonly Candidate[]> {
  const config = await (await context.configFile()).read();
  return Object.entries(config.profiles).map(([value, { baseUrl = '' }]) => ({
    value,
    description: baseUrl,
  }));
}
