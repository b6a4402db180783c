import { type Octets, parseAddress } from '../../../shared/ip-address.ts';
import { type MacroString, parseMacros } from './spf-macro.ts';

/** A mechanism with its qualifier. */
export interface SpfDirective {
  readonly kind: 'directive';
  readonly qualifier: '+' | '-' | '~' | '?';
  readonly mechanism: 'all' | 'include' | 'a' | 'mx' | 'ptr' | 'ip4' | 'ip6' | 'exists';
  /** What follows the colon; absent where it is the domain itself. Not for `ip4`, `ip6` and `all`. */
  readonly domain?: MacroString;
  /** Of `ip4` and `ip6`. */
  readonly network?: Octets;
  /** The lengths of prefixes, in bits. */
  readonly prefix4: number;
  readonly prefix6: number;
  readonly text: string;
}

/** `redirect=`, `exp=`, or one that receivers ignore. */
export interface SpfModifier {
  readonly kind: 'modifier';
  /** In lower case. */
  readonly name: string;
  readonly value: MacroString;
  readonly text: string;
}

export type SpfTerm = SpfDirective | SpfModifier;

/** A place that the grammar does not allow. With one of them, the whole record is a permanent error. */
export interface SpfSyntaxError {
  /** The term as written. */
  readonly text: string;
  readonly sentence: string;
}

/** Whether a TXT record is an SPF record, valid or not (RFC 7208, 4.5). */
export function isSpf(text: string): boolean {
  return /^v=spf1(?: |$)/i.test(text);
}

/**
 * What is wrong with a TXT record that was meant as SPF, but does not begin like it, so that receivers do not take it for
 * SPF; undefined for any other. `meant` is absent if its terms are not valid either.
 */
export function almostSpf(text: string): { sentence: string; meant?: string } | undefined {
  const bare = text.replace(/^[\s"'“”\\]+|[\s"'“”\\]+$/g, '');
  const [begin, terms = ''] = /^(?:v\s*[=:]?\s*)?spf\s*1?(?![\w.]*\/)(.*)$/is.exec(bare) ?? [];
  const hasTerms = /(?:^|[\s+~?-])(?:include|redirect|a|mx|ip[46])[:=]|(?:^|\s)(?:mx|[-~?+]all)\b/i;
  if (begin === undefined || isSpf(text) || !hasTerms.test(terms)) return undefined;
  const sentence =
    bare === text
      ? 'An SPF record begins with v=spf1 and a space.'
      : 'An SPF record begins with v=spf1 and a space, without quotes or spaces before it.';
  const meant = `v=spf1 ${terms.trim().replace(/ +/g, ' ')}`;
  return parseSpf(meant).errors.length > 0 ? { sentence } : { sentence, meant };
}

/** Reads the terms of an SPF record (RFC 7208, 12), in order, without those that have errors. The text must be one by `isSpf`. */
export function parseSpf(text: string) {
  const terms: SpfTerm[] = [];
  const errors: SpfSyntaxError[] = [];
  for (const term of text.split(/ +/).slice(1)) {
    if (term === '') continue;
    const read = /[^\x21-\x7e]/.test(term)
      ? 'It has characters other than visible ASCII.'
      : readTerm(term);
    if (typeof read === 'string') errors.push({ text: term, sentence: read });
    else terms.push(read);
  }
  const repeated = terms.filter(
    (one, index) =>
      one.kind === 'modifier' &&
      (one.name === 'redirect' || one.name === 'exp') &&
      terms.slice(0, index).some((other) => other.kind === 'modifier' && other.name === one.name),
  );
  for (const { text: again } of repeated) {
    errors.push({ text: again, sentence: 'This modifier may occur only once.' });
  }
  return { terms, errors };
}

/** The mechanism that was meant by a modifier with its name, `include=` in place of `include:`, and a sentence about it. */
export function meantMechanism({ kind, text }: SpfTerm) {
  if (kind === 'directive' || !/^(?:include|a|mx|ptr|ip[46]|exists)=/i.test(text)) return undefined;
  const meant = text.replace('=', ':');
  return {
    meant,
    sentence: `Receivers ignore ${text}, because a mechanism takes a colon, not an equals sign. Write ${meant}.`,
  };
}

/** The record with the mechanisms that were meant, if that makes it valid. */
export function withMeantMechanisms(record: string): string {
  const { terms } = parseSpf(record);
  const meant = new Map(terms.map((term) => [term.text, meantMechanism(term)?.meant ?? term.text]));
  const whole = record.replace(/[^ ]+/g, (text) => meant.get(text) ?? text);
  return parseSpf(whole).errors.length === 0 ? whole : record;
}

/** The term, or a sentence about what is wrong with it. */
function readTerm(text: string): SpfTerm | string {
  const modifier = /^([^:/=]*)=(.*)$/.exec(text);
  if (modifier !== null) {
    const [, name = '', value = ''] = modifier;
    return readModifier(name, value, text);
  }
  const [, sign = '', name = '', rest = ''] = /^([+\-~?]?)([^:/]*)(.*)$/.exec(text) ?? [];
  const mechanism = mechanisms.find((one) => one === name.toLowerCase());
  if (mechanism === undefined) return `There is no mechanism named ${JSON.stringify(name)}.`;
  const read = readArgument(mechanism, rest);
  if (typeof read === 'string') return read;
  const qualifier = qualifiers.find((one) => one === sign) ?? '+';
  return {
    kind: 'directive',
    qualifier,
    mechanism,
    prefix4: 32,
    prefix6: 128,
    ...read,
    text,
  };
}

const qualifiers = ['+', '-', '~', '?'] as const;
const mechanisms = ['all', 'include', 'a', 'mx', 'ptr', 'ip4', 'ip6', 'exists'] as const;

type Argument = Partial<Pick<SpfDirective, 'domain' | 'network' | 'prefix4' | 'prefix6'>>;

function readModifier(name: string, value: string, text: string): SpfModifier | string {
  if (!/^[a-z][a-z0-9\-_.]*$/i.test(name)) return 'This is not the name of a modifier.';
  const known = ['redirect', 'exp'].includes(name.toLowerCase());
  const read = known ? readDomain(value) : parseMacros(value, 'any');
  if (typeof read === 'string') return read;
  return { kind: 'modifier', name: name.toLowerCase(), value: read, text };
}

/** What follows the name of a mechanism. */
function readArgument(mechanism: SpfDirective['mechanism'], rest: string): Argument | string {
  switch (mechanism) {
    case 'all':
      return rest === '' ? {} : 'all takes no value.';
    case 'ip4':
    case 'ip6':
      return readNetwork(mechanism, rest);
    case 'include':
    case 'exists':
      if (!rest.startsWith(':')) return `${mechanism} needs a domain: ${mechanism}:example.com.`;
      return inDomain(rest.slice(1));
    case 'ptr':
      if (rest === '') return {};
      return rest.startsWith(':') ? inDomain(rest.slice(1)) : 'ptr takes no prefix length.';
    case 'a':
    case 'mx': {
      const [tail = ''] = /(?:\/(?:0|[1-9]\d*))?(?:\/\/(?:0|[1-9]\d*))?$/.exec(rest) ?? [];
      const prefixes = readPrefixes(tail);
      const before = rest.slice(0, rest.length - tail.length);
      if (typeof prefixes === 'string' || before === '') return prefixes;
      const domain = before.startsWith(':')
        ? inDomain(before.slice(1))
        : 'This is not a prefix length.';
      return typeof domain === 'string' ? domain : { ...domain, ...prefixes };
    }
  }
}

/** `/24`, `//64` or both. */
function readPrefixes(text: string): Argument | string {
  const [, four, six] = /^(?:\/(\d+))?(?:\/\/(\d+))?$/.exec(text) ?? [];
  if (Number(four ?? 0) > 32) return 'A prefix of IPv4 has at most 32 bits.';
  if (Number(six ?? 0) > 128) return 'A prefix of IPv6 has at most 128 bits.';
  return {
    ...(four === undefined ? {} : { prefix4: Number(four) }),
    ...(six === undefined ? {} : { prefix6: Number(six) }),
  };
}

function readNetwork(mechanism: 'ip4' | 'ip6', rest: string): Argument | string {
  const [, address = '', prefix] = /^:([^/]*)(?:\/(.*))?$/.exec(rest) ?? [];
  const network = parseAddress(address);
  const version = mechanism === 'ip4' ? 4 : 6;
  if (network?.length !== (version === 4 ? 4 : 16)) return `This is not an IPv${version} address.`;
  const most = version === 4 ? 32 : 128;
  if (prefix === undefined) return { network };
  if (!/^(?:0|[1-9]\d*)$/.test(prefix) || Number(prefix) > most) {
    return `The prefix is not a number from 0 to ${most}.`;
  }
  return { network, [version === 4 ? 'prefix4' : 'prefix6']: Number(prefix) };
}

function inDomain(text: string): Argument | string {
  const domain = readDomain(text);
  return typeof domain === 'string' ? domain : { domain };
}

/** A domain-spec ends in a macro, or in a dot and a label that could be a top-level domain. */
function readDomain(text: string): MacroString | string {
  const parts = parseMacros(text, 'domain');
  if (typeof parts === 'string') return parts;
  const endsInMacro = /%\{[^}]*\}$|%[%_-]$/.test(text);
  const top = /\.(?:[a-z0-9]*[a-z][a-z0-9]*|[a-z0-9]+-[a-z0-9-]*[a-z0-9])\.?$/i;
  return endsInMacro || top.test(text) ? parts : `${JSON.stringify(text)} is not a domain name.`;
}
