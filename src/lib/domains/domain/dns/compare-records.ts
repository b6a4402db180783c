import { parseDkimKey } from '../../mail-authentication/dkim-key.ts';
import { mistakenDmarc } from '../../mail-authentication/dmarc-mistakes.ts';
import { isDmarc, parseDmarc } from '../../mail-authentication/dmarc-record.ts';
import { isSpf, meantMechanism, parseSpf } from '../../mail-authentication/spf-record.ts';
import { parseTagList, tagValue } from '../../mail-authentication/tag-list.ts';
import { dnsName } from './dns-names.ts';
import type { WantedRecord } from './wanted-records.ts';

/** How a found record compares with the one to publish. */
interface Comparison {
  readonly status: 'ok' | 'missing' | 'wrong';
  /** A sentence; absent if nothing is wrong. */
  readonly problem?: string;
}

const ok: Comparison = { status: 'ok' };

/**
 * Compares a record with the values under its name: would receivers use it, even if it is not identical? What an
 * SPF record leads to is judged elsewhere (`spf-use.ts`), because it needs DNS.
 */
export function compare(wanted: WantedRecord, found: readonly string[]): Comparison {
  if (wanted.type === 'MX') return compareMx(wanted, found);
  if (wanted.type === 'CNAME') return compareAlias(wanted, found);
  if (isSpf(wanted.value)) return compareSpf(wanted.value, found);
  if (isDmarc(wanted.value)) return compareDmarc(found);
  if (/(^|\.)_domainkey(\.|$)/i.test(wanted.fqdn)) return compareKey(wanted.value, found);
  if (found.includes(wanted.value)) return ok;
  return (
    entryMistake(found, (one) => one === wanted.value) ??
    wrong('No value here matches the expected one.')
  );
}

/** The value in the form that is shown next to the found ones. */
export function expectedValue({ type, value, priority }: WantedRecord): string {
  return type === 'MX' && priority !== undefined ? `${priority} ${value}` : value;
}

/**
 * The problem if a value is right but for characters that belong to the way it was entered: zone files put values in
 * quotes, and a backslash before a semicolon.
 */
function entryMistake(
  found: readonly string[],
  isRight: (value: string) => boolean,
): Comparison | undefined {
  for (const value of found) {
    const clean = withoutQuotes(value);
    if (clean === value || !isRight(clean)) continue;
    return wrong(
      /["\\]/.test(value)
        ? `There are quotes or backslashes inside the value, so receivers ignore it. Publish it without them: ${clean}`
        : `There is white space before the value, so receivers ignore it. Remove the space: ${clean}`,
    );
  }
  return undefined;
}

function withoutQuotes(value: string): string {
  return value.replace(/["\\]/g, '').trim();
}

function compareMx({ value, priority }: WantedRecord, found: readonly string[]): Comparison {
  const servers = found.map((one) => {
    const [number, host = ''] = one.split(' ');
    return { priority: Number(number), host: dnsName(host) };
  });
  const same = servers.filter(({ host }) => host === value);
  const [first] = same;
  if (first === undefined) {
    return (
      doubledTarget(
        value,
        servers.map(({ host }) => host),
      ) ?? wrong('Mail for this name goes to another server.')
    );
  }
  if (same.length < servers.length) {
    return wrong('There are other MX records; this must be the only one.');
  }
  if (priority !== undefined && same.every((one) => one.priority !== priority)) {
    return wrong(`The priority is ${first.priority}, not ${priority}.`);
  }
  return ok;
}

function compareAlias({ value }: WantedRecord, found: readonly string[]): Comparison {
  const targets = found.map(dnsName);
  if (targets.includes(value)) return ok;
  return doubledTarget(value, targets) ?? wrong('It points to another name.');
}

/** The problem if a control panel appended the domain to a target, because it had no dot at its end. */
function doubledTarget(value: string, targets: readonly string[]): Comparison | undefined {
  const doubled = targets.find((one) => one.startsWith(`${value}.`));
  if (doubled === undefined) return undefined;
  const appended = doubled.slice(value.length);
  return wrong(
    `The target is ${doubled}: ${appended} was appended to it. Publish it with a dot at its end: ${value}.`,
  );
}

/** It is enough if one SPF record has all mechanisms of the expected one before its `all`. */
function compareSpf(wanted: string, found: readonly string[]): Comparison {
  const records = found.filter(isSpf);
  const [record] = records;
  if (record === undefined) {
    const problem = 'There are TXT records here, but no SPF record.';
    return entryMistake(found, isSpf) ?? { status: 'missing', problem };
  }
  if (records.length > 1) {
    return wrong(
      `There are ${records.length} SPF records; if there is more than one, receivers ignore them all (RFC 7208, 4.5). Merge them into one.`,
    );
  }
  const [error] = parseSpf(record).errors;
  if (error !== undefined) {
    const isClean = (one: string) => parseSpf(one).errors.length === 0;
    return (
      entryMistake([record], isClean) ??
      wrong(
        `Receivers ignore the SPF record, because of ${error.text}: ${error.sentence} (RFC 7208, 4.6)`,
      )
    );
  }
  const terms = mechanisms(record);
  const lacking = mechanisms(wanted).filter((one) => !terms.includes(one));
  const [ignored] = parseSpf(record).terms.flatMap((one) => meantMechanism(one) ?? []);
  if (lacking.length > 0 && ignored !== undefined) return wrong(ignored.sentence);
  return lacking.length === 0 ? ok : wrong(`The SPF record is missing ${lacking.join(' ')}`);
}

/** The mechanisms of an SPF record, without `+`, up to `all`, after which nothing is evaluated. */
function mechanisms(record: string): string[] {
  const directives = parseSpf(record).terms.filter((one) => one.kind === 'directive');
  const end = directives.findIndex(({ mechanism }) => mechanism === 'all');
  return directives
    .slice(0, end === -1 ? undefined : end)
    .map(({ text }) => text.toLowerCase().replace(/^\+/, ''));
}

/** The policy is the owner's choice; the domain only needs to have one that receivers use. */
function compareDmarc(found: readonly string[]): Comparison {
  const records = found.filter(isDmarc);
  const [record] = records;
  if (record === undefined) {
    const problem = 'There are TXT records here, but no DMARC record.';
    const [mistaken] = found.flatMap((one) => mistakenDmarc(one) ?? []);
    const entry = entryMistake(found, isDmarc);
    if (entry !== undefined || mistaken === undefined)
      return entry ?? { status: 'missing', problem };
    const { sentence, repaired } = mistaken;
    const remedy = repaired === undefined ? '' : ` Publish this instead: ${repaired}`;
    return wrong(`Receivers ignore the DMARC record. ${sentence}${remedy}`);
  }
  if (records.length > 1) {
    return wrong(
      `There are ${records.length} DMARC records; if there is more than one, receivers ignore them all.`,
    );
  }
  const { use, problems } = parseDmarc(record);
  if (use === 'policy') return ok;
  const isPolicy = (one: string) => isDmarc(one) && parseDmarc(one).use === 'policy';
  return entryMistake([record], isPolicy) ?? wrong(problems[0]?.sentence ?? '');
}

/** Problems of a key that are not its owner's, if it is the expected one. */
const ofTheService = ['unreadable', 'too-short'];

function compareKey(wanted: string, found: readonly string[]): Comparison {
  if (found.length > 1) {
    if (found.every((one) => one !== '' && one !== wanted && wanted.includes(one))) {
      return wrong(
        `The key is split across ${found.length} records; put it in one record, as several strings.`,
      );
    }
    return wrong(`There are ${found.length} TXT records here; the key must be the only one.`);
  }
  const [text = ''] = found;
  if (/["\\]/.test(text)) {
    return wrong(
      'There are quotes or backslashes inside the value, so receivers ignore it. Publish the expected value without them.',
    );
  }
  const expected = keyIn(wanted) ?? '';
  const key = keyIn(text);
  const { problems, type } = parseDkimKey(text);
  if (key !== undefined && key !== '' && key !== expected) {
    return wrong(
      expected.startsWith(key)
        ? `The key is truncated: it has ${key.length} of ${expected.length} characters.`
        : 'It is a different key.',
    );
  }
  const fatal = problems.find(
    ({ code, effect }) => effect === 'unusable' && !ofTheService.includes(code),
  );
  if (fatal !== undefined) {
    const { code, sentence } = fatal;
    return wrong(code === 'syntax' ? `Receivers ignore the key. ${sentence}` : sentence);
  }
  return type === parseDkimKey(wanted).type ? ok : wrong(`The key type is k=${type}.`);
}

/** The value of `p=`, in which white space is ignored (RFC 6376, 3.6.1). */
function keyIn(text: string): string | undefined {
  return tagValue(parseTagList(text), 'p')?.replace(/\s+/g, '');
}

function wrong(problem: string): Comparison {
  return { status: 'wrong', problem };
}
