import { parseTagList, tagValue } from './tag-list.ts';

/** What a domain asks receivers to do with mail that fails. */
export type DmarcPolicy = 'none' | 'quarantine' | 'reject';

/** A DMARC record (RFC 9989, 4.7). Values that are not valid count as absent. */
export interface DmarcRecord {
  readonly text: string;
  readonly p: DmarcPolicy | undefined;
  readonly sp: DmarcPolicy | undefined;
  readonly np: DmarcPolicy | undefined;
  readonly psd: 'y' | 'n' | 'u';
  /** `t=y`: the policy one level below is to be applied. */
  readonly testing: boolean;
  /** Whether `adkim` and `aspf` are strict. */
  readonly strictDkim: boolean;
  readonly strictSpf: boolean;
  /** The valid addresses (URIs) for reports. */
  readonly rua: readonly string[];
  readonly ruf: readonly string[];
  /**
   * How receivers use it (RFC 9989, 4.10.1): `policy` as it says; `monitor` as `p=none`, because its policy is not
   * valid but it asks for reports; `ignored` without either.
   */
  readonly use: 'policy' | 'monitor' | 'ignored';
  readonly problems: readonly DmarcProblem[];
}

/**
 * - `invalid`: receivers ignore the whole record.
 * - `no-policy`: it has no valid policy, see `use`.
 * - `ignored`: receivers ignore this tag.
 * - `removed`: RFC 9989 has removed this tag.
 * - `test-mode`: `t=y`.
 */
export interface DmarcProblem {
  readonly code: 'invalid' | 'no-policy' | 'ignored' | 'removed' | 'test-mode';
  /** The tag it is about. */
  readonly tag?: string;
  /** Ends in a period. */
  readonly sentence: string;
}

/** Whether a TXT record is a DMARC record, valid or not (RFC 9989, 4.7 and 4.8). */
export function isDmarc(text: string): boolean {
  return /^[vV][ \t]*=[ \t]*DMARC1[ \t]*(?:;|$)/.test(text);
}

/** Reads a DMARC record. The text must be one by `isDmarc`. */
export function parseDmarc(text: string): DmarcRecord {
  const list = parseTagList(text);
  const problems: DmarcProblem[] = [];
  const tell = (code: DmarcProblem['code'], tag: string, sentence: string) =>
    problems.push({ code, tag, sentence });
  const valid = <Value>(tag: string, read: (value: string) => Value | undefined) => {
    const value = tagValue(list, tag);
    const result = value === undefined ? undefined : read(value);
    if (value !== undefined && result === undefined) {
      tell('ignored', tag, `${tag}=${value} is not valid, so receivers ignore it.`);
    }
    return result;
  };
  const word = <Value extends string>(tag: string, values: readonly Value[]) =>
    valid(tag, (value) => values.find((one) => one === value.toLowerCase()));
  const policy = (tag: 'p' | 'sp' | 'np') =>
    policies.find((one) => one === tagValue(list, tag)?.toLowerCase());
  const [p, sp, np] = [policy('p'), policy('sp'), policy('np')];
  const rua = valid('rua', reportAddresses) ?? [];
  const record = {
    ...{ text, p, sp, np, rua },
    psd: word('psd', ['y', 'n', 'u'] as const) ?? 'u',
    testing: word('t', ['y', 'n'] as const) === 'y',
    strictDkim: word('adkim', ['r', 's'] as const) === 's',
    strictSpf: word('aspf', ['r', 's'] as const) === 's',
    ruf: valid('ruf', reportAddresses) ?? [],
  };
  valid('fo', (value) => (isFailureOption(value) ? value : undefined));
  for (const error of list.errors) problems.push({ code: 'ignored', sentence: error });
  for (const { name } of list.tags) {
    if (removed.includes(name)) {
      const said = `${name}= was removed from DMARC; receivers that follow RFC 9989 ignore it.`;
      tell('removed', name, said);
    } else if (!known.includes(name) && list.tags[0]?.name !== name) {
      tell('ignored', name, `Receivers do not know the tag ${name}=.`);
    }
  }
  if (record.testing) {
    const said = 'It is in test mode (t=y), so receivers apply the next weaker policy.';
    tell('test-mode', 't', said);
  }
  if (list.repeated !== undefined) {
    problems.unshift({
      code: 'invalid',
      tag: list.repeated,
      sentence: `${list.repeated}= occurs twice, so receivers ignore the record.`,
    });
    return { ...record, use: 'ignored', problems };
  }
  const bad = (['p', 'sp', 'np'] as const).find(
    (tag) => tagValue(list, tag) !== undefined && record[tag] === undefined,
  );
  if (p !== undefined && bad === undefined) return { ...record, use: 'policy', problems };
  const use = rua.length > 0 ? 'monitor' : 'ignored';
  const effect = use === 'monitor' ? 'receivers act as if it were p=none' : 'receivers ignore it';
  const cause =
    bad === undefined
      ? 'no policy (p=)'
      : `${bad}=${tagValue(list, bad) ?? ''}, which is not a valid policy`;
  problems.unshift({
    ...{ code: 'no-policy', tag: bad ?? 'p' },
    sentence: `The DMARC record has ${cause}, so ${effect} (RFC 9989, 4.10.1).`,
  });
  return { ...record, use, problems };
}

const policies = ['none', 'quarantine', 'reject'] as const;
const known = ['v', 'p', 'sp', 'np', 'psd', 't', 'adkim', 'aspf', 'rua', 'ruf', 'fo'];
const removed = ['pct', 'rf', 'ri'];

/** The valid URIs of a list, without sizes, which are obsolete; undefined if there is none. */
function reportAddresses(value: string): string[] | undefined {
  const uri = /^[a-z][a-z0-9+.-]*:(?:[a-z0-9\-._~:/?#[\]@$&'()*+;=]|%[0-9a-f]{2})+$/i;
  const found = value.split(',').map((one) => one.trim().replace(/![0-9]+[kmgt]?$/i, ''));
  const good = found.filter((one) => uri.test(one));
  return good.length === 0 ? undefined : good;
}

/** `0` or `1`, and `d` and `s`, each at most once. */
function isFailureOption(value: string): boolean {
  const words = value
    .toLowerCase()
    .split(':')
    .map((one) => one.trim());
  const distinct = new Set(words).size === words.length;
  return (
    distinct &&
    words.every((one) => /^[01ds]$/.test(one)) &&
    !(words.includes('0') && words.includes('1'))
  );
}
