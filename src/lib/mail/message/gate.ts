import { attempt } from '../../../shared/attempt.ts';
import type { Door, MessageCheck } from '../../../shared/check/check.ts';
import { collect, type FoundAt } from '../../../shared/check/collect.ts';
import type { TextPlace } from '../../../shared/check/finding.ts';
import type { EmailPart, MessageContent } from '../../../shared/check/message.ts';
import { positionsIn } from '../../../shared/check/positions.ts';
import { textChecks } from '../../../shared/check/text-checks.ts';
import { UsageError } from '../../base/errors.ts';
import { withOverflowCount } from '../../base/text/quoted-names.ts';
import { visible } from '../../base/text/visible.ts';
import type { Context } from '../../command-line/command/context.ts';
import { isLoopback } from '../../service/http/network/base-url.ts';
import { markPassed, type Passed } from '../../service/http/passed.ts';

/** A message and what a person calls its parts. */
export interface WrittenMessage {
  readonly message: MessageContent;
  /** The flag, the column or the file of a part. */
  readonly placeOf?: ((where: EmailPart) => string) | undefined;
  /** Finds the place in the file that the message was made from; by default, that in its part. */
  readonly places?: ((found: FoundAt) => Promise<TextPlace>) | undefined;
  /** Lines of the file before its HTML. */
  readonly linesBefore?: number | undefined;
}

/** How messages come to a door. */
export interface Passing {
  readonly door: Door;
  /** What did not happen if the door stays shut, as a sentence. */
  readonly nothing: string;
  /** Whether they are meant as they are written. */
  readonly literal?: boolean | undefined;
  /** Codes of what is not looked for, because it is meant or was said already. */
  readonly except?: readonly string[];
  /** Codes of what alone is looked for. */
  readonly only?: readonly string[];
  /** More about some findings: sentences, and commands on lines of their own. */
  readonly advice?: ((code: string, found: readonly FoundAt[]) => Advice) | undefined;
  /** Whether what may be meant was said already. */
  readonly isSaid?: boolean | undefined;
}

export interface Advice {
  readonly sentences?: readonly string[];
  readonly lines?: readonly string[];
}

/** A finding as a door sees it. */
export interface AtDoor {
  readonly check: MessageCheck;
  readonly severity: 'error' | 'warning';
  readonly found: FoundAt;
  readonly written: WrittenMessage;
}

/** The most places that are named under one title. */
const mostShown = 10;

export type Around = Pick<Context, 'flags' | 'account' | 'notes'>;

/** What may have an image or a link, hide what follows, or be nested too deeply. Without it, nothing is loaded to look for one. */
const mayLead =
  /\b(?:src|srcset|background|poster|href|url)\b|https?:\/\/|<!--|<(?:a|img|style|title|textarea|template)\b|<[a-z][^<>]*<|(?:<[^<]*){500}/i;

/** What the table of checks says about a message at a door. */
export async function findingsAt(
  around: Pick<Around, 'flags' | 'account'>,
  written: WrittenMessage,
  { door, except = [], only }: Pick<Passing, 'door' | 'except' | 'only'>,
): Promise<readonly AtDoor[]> {
  const { message } = written;
  const { html = '', content = '', text = '' } = message;
  const isWanted = ({ doors, code }: MessageCheck) =>
    doors?.[door] !== undefined && !except.includes(code) && (only?.includes(code) ?? true);
  const leads =
    only?.some((code) => /^(?:image|link)-/.test(code)) !== false &&
    [html, content, text].some((one) => mayLead.test(one));
  const more = leads
    ? (await import('../../../shared/check/document-checks.ts')).documentChecks
    : [];
  const checks: readonly MessageCheck[] = [...textChecks, ...more].filter(isWanted);
  const found = collect(message, checks).filter(({ severity }) => severity !== 'info');
  const isTried =
    found.some(({ code }) => code === 'link-private') && (await isOnThisMachine(around));
  return found.flatMap((one) => {
    const check = checks.find(({ code }) => code === one.code);
    const severity = check?.doors?.[door];
    if (check === undefined || severity === undefined) return [];
    // Such links may lead to an application that is being tried out.
    const isMeant = one.isLikely || (isTried && one.code === 'link-private');
    return [{ check, severity: isMeant ? 'warning' : severity, found: one, written }];
  });
}

/** Whether the service, such as the sandbox, is on this machine. */
async function isOnThisMachine({
  flags,
  account,
}: Pick<Around, 'flags' | 'account'>): Promise<boolean> {
  if (flags.sandbox === true) return true;
  const used = await account();
  const baseUrl = attempt(() => used.baseUrl, undefined);
  return baseUrl !== undefined && isLoopback(new URL(baseUrl).hostname);
}

/**
 * The gate: what every message passes before it is mailed or stored. Throws one `UsageError` with all that nobody means
 * to send, and warns of what may be meant.
 */
export async function pass(
  around: Around,
  messages: WrittenMessage | readonly WrittenMessage[],
  passing: Passing,
): Promise<Passed> {
  if (passing.literal === true) return markPassed();
  const found: (readonly AtDoor[])[] = [];
  for (const written of [messages].flat()) found.push(await findingsAt(around, written, passing));
  const all = found.flat();
  const errors = all.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw await refusal(errors, passing);
  if (passing.isSaid === true) return markPassed();
  for (const group of groupByTitle(all)) {
    around.notes.warn(
      groupTitle(group),
      ...(await placeLines(group)),
      ...aboutGroup(group, passing),
    );
  }
  return markPassed();
}

/** Proof without a look: nothing is sent in a dry run, and a run sends what passed when it was prepared. */
export function waive(_: 'dry run' | 'passed before'): Passed {
  return markPassed();
}

async function refusal(errors: readonly AtDoor[], passing: Passing): Promise<UsageError> {
  const lines: string[] = [];
  const sentences = new Set([passing.nothing]);
  const commands: string[] = [];
  const groups = groupByTitle(errors);
  for (const group of groups) {
    // The printer indents what follows the first line, other titles too.
    const places = await placeLines(group);
    const indent = groups.length > 1 ? '  ' : '';
    lines.push(groupTitle(group), ...places.map((line) => `${indent}${line}`));
    const { code, advice } = group[0].check;
    if (advice !== undefined) sentences.add(advice);
    const more = passing.advice?.(code, foundIn(group));
    for (const sentence of more?.sentences ?? []) sentences.add(sentence);
    commands.push(...(more?.lines ?? []));
  }
  const isKept = passing.door === 'draft' || passing.door === 'stored';
  const what = errors[0]?.written.message.kind === 'campaign' ? 'the campaign' : 'the email';
  const literal = `To ${isKept ? 'create it' : `send ${what}`} as it is written, add --literal.`;
  const settle = [...new Set(groups.map(([{ check }]) => check.settle ?? literal))].join(' ');
  const hint =
    commands.length === 0
      ? [...sentences, settle].join(' ')
      : [[...sentences].join(' '), ...commands, settle].join('\n');
  return new UsageError(lines.join('\n'), { hint });
}

export type FindingGroup = readonly [AtDoor, ...AtDoor[]];

/** Findings under the same title. */
export function groupByTitle(all: readonly AtDoor[]): readonly FindingGroup[] {
  const groups = new Map<string, [AtDoor, ...AtDoor[]]>();
  for (const one of all) {
    const key = `${one.severity} ${one.found.isLikely} ${groupTitle([one])}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [one]);
    else group.push(one);
  }
  return [...groups.values()];
}

/** The sentence above the places of a group. */
export function groupTitle([{ check, written, found }, ...others]: FindingGroup): string {
  const { kind } = written.message;
  const { isLikely } = found;
  return check.title?.({ isOne: others.length === 0, kind, isLikely }) ?? check.meaning;
}

function foundIn(group: readonly AtDoor[]): readonly FoundAt[] {
  return group.map(({ found }) => found);
}

function aboutGroup(group: FindingGroup, { advice }: Passing): readonly string[] {
  const { check } = group[0];
  const { sentences = [], lines = [] } = advice?.(check.code, foundIn(group)) ?? {};
  return [...(check.advice === undefined ? [] : [check.advice]), ...sentences, ...lines];
}

/** The places of findings, one per line. */
export async function placeLines(group: readonly AtDoor[]): Promise<readonly string[]> {
  const lines = await Promise.all(
    group.slice(0, mostShown).map(async ({ found, written }) => {
      const { file, line } = await placeOf(found, written);
      const place = file ?? written.placeOf?.(found.where) ?? found.where;
      const where = line === undefined ? place : `${place}, line ${line}`;
      return `${visible(where)}: ${visible(found.item)}`;
    }),
  );
  return withOverflowCount(lines, group.length).map((line) => `  ${line}`);
}

async function placeOf(found: FoundAt, written: WrittenMessage): Promise<TextPlace> {
  if (written.places !== undefined) return await written.places(found);
  const { where, at } = found;
  if (at === undefined || (where !== 'html' && where !== 'text')) return {};
  const { line } = positionsIn(written.message[where] ?? '')(at);
  return { line: line + (where === 'html' ? (written.linesBefore ?? 0) : 0) };
}
