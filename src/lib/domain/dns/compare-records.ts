import { dnsName } from './dns-names.ts';
import type { WantedRecord } from './wanted-records.ts';

/** How a found record compares with the one to publish. */
interface Comparison {
  readonly status: 'ok' | 'missing' | 'wrong';
  /** A sentence; absent if nothing is wrong. */
  readonly problem?: string;
}

const ok: Comparison = { status: 'ok' };

/** Compares a record with the values under its name: does it work, even if it is not identical? */
export function compare(wanted: WantedRecord, found: readonly string[]): Comparison {
  if (wanted.type === 'MX') return compareMx(wanted, found);
  if (wanted.type === 'CNAME') return compareAlias(wanted, found);
  if (spf.test(wanted.value)) return compareSpf(wanted.value, found);
  if (dmarc.test(wanted.value)) return compareDmarc(found);
  if (/(^|\.)_domainkey(\.|$)/i.test(wanted.fqdn)) return compareKey(wanted.value, found);
  return found.includes(wanted.value) ? ok : wrong('No value here matches the expected one.');
}

/** The value in the form that is shown next to the found ones. */
export function expectedValue({ type, value, priority }: WantedRecord): string {
  return type === 'MX' && priority !== undefined ? `${priority} ${value}` : value;
}

const spf = /^v=spf1(\s|$)/i;
const dmarc = /^v=DMARC1\s*(;|$)/i;

function compareMx({ value, priority }: WantedRecord, found: readonly string[]): Comparison {
  const servers = found.map((one) => {
    const [number, host = ''] = one.split(' ');
    return { priority: Number(number), host: dnsName(host) };
  });
  const same = servers.filter(({ host }) => host === value);
  const [first] = same;
  if (first === undefined) return wrong('Mail for this name goes to another server.');
  if (same.length < servers.length) {
    return wrong('There are other MX records; this must be the only one.');
  }
  if (priority !== undefined && same.every((one) => one.priority !== priority)) {
    return wrong(`The priority is ${first.priority}, not ${priority}.`);
  }
  return ok;
}

function compareAlias({ value }: WantedRecord, found: readonly string[]): Comparison {
  return found.some((one) => dnsName(one) === value) ? ok : wrong('It points to another name.');
}

/** It is enough if one SPF record has all mechanisms of the expected one before its `all`. */
function compareSpf(wanted: string, found: readonly string[]): Comparison {
  const records = found.filter((one) => spf.test(one));
  const [record] = records;
  if (record === undefined) {
    return { status: 'missing', problem: 'There are TXT records here, but no SPF record.' };
  }
  if (records.length > 1) {
    return wrong(
      `There are ${records.length} SPF records; if there is more than one, receivers ignore them all (RFC 7208, 4.5). Merge them into one.`,
    );
  }
  const terms = mechanisms(record);
  const lacking = mechanisms(wanted).filter((one) => !terms.includes(one));
  return lacking.length === 0 ? ok : wrong(`The SPF record is missing ${lacking.join(' ')}`);
}

/** The mechanisms of an SPF record, without `+`, up to `all`, after which nothing is evaluated. */
function mechanisms(record: string): string[] {
  const terms = record.trim().toLowerCase().split(/\s+/).slice(1);
  const end = terms.findIndex((term) => /^[-~?+]?all$/.test(term));
  return (end === -1 ? terms : terms.slice(0, end)).map((term) => term.replace(/^\+/, ''));
}

/** The policy is the owner's choice; the domain only needs to have one. */
function compareDmarc(found: readonly string[]): Comparison {
  const records = found.filter((one) => dmarc.test(one));
  if (records.length === 0) {
    return { status: 'missing', problem: 'There are TXT records here, but no DMARC record.' };
  }
  return records.length === 1
    ? ok
    : wrong(
        `There are ${records.length} DMARC records; if there is more than one, receivers ignore them all.`,
      );
}

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
  const expected = tags(wanted);
  const published = tags(text);
  const key = published.get('p');
  const expectedKey = expected.get('p') ?? '';
  if (/^\s*"/.test(text)) return wrong('The value is enclosed in quotes; remove them.');
  if (key === undefined) return wrong('This is not a DKIM key: it has no p=.');
  if (key === '') return wrong('The key is empty, which means that it was revoked.');
  if (key !== expectedKey) {
    return wrong(
      expectedKey.startsWith(key)
        ? `The key is truncated: it has ${key.length} of ${expectedKey.length} characters.`
        : 'It is a different key.',
    );
  }
  if ((published.get('v') ?? 'DKIM1') !== 'DKIM1') return wrong('Its version (v=) is not DKIM1.');
  const kind = published.get('k') ?? 'rsa';
  return kind === (expected.get('k') ?? 'rsa') ? ok : wrong(`The key type is k=${kind}.`);
}

/** A list of `tag=value` (RFC 6376, 3.2), in which white space is ignored. */
function tags(text: string): Map<string, string> {
  const pairs = text.split(';').flatMap((part) => {
    const equals = part.indexOf('=');
    if (equals === -1) return [];
    const value = part.slice(equals + 1).replace(/\s+/g, '');
    return [[part.slice(0, equals).trim(), value] as const];
  });
  return new Map(pairs);
}

function wrong(problem: string): Comparison {
  return { status: 'wrong', problem };
}
