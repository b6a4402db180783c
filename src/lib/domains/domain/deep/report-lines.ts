import { visible } from '../../../base/text/visible.ts';
import type { CellStyle } from '../../../command-line/output/cell-style.ts';
import type { DkimReport, DomainReport, ReceiverRule, SpfReport } from './deep-shapes.ts';
import type { RuleState } from './receivers.ts';

/** The report about a domain for a terminal. */
export function reportLines(report: DomainReport, { palette }: CellStyle): string[] {
  const { domain, zone, spf, dkim, failures } = report;
  const servers = zone === null ? '' : `, from the name servers of ${visible(zone)}`;
  return [
    `${palette.bold(visible(domain))}${servers}`,
    ...spf.flatMap(spfLines),
    ...(dkim.length === 0
      ? ['DKIM     the selectors are not known; give them with --selector']
      : []),
    ...dkim.map(dkimLine),
    ...dmarcLines(report),
    ...rulesLines(report.receivers, palette),
    ...failures.map(
      ({ question, reason }) => `No answer  ${visible(question)}: ${visible(reason)}`,
    ),
  ];
}

/** The record, and the terms that need look-ups, each with its cost. */
function spfLines(report: SpfReport): string[] {
  const { role, domain, lookups, voidLookups, terms, record, usable } = report;
  const whose = role === 'mail-from' ? 'MAIL FROM' : 'From, which receivers do not check';
  const voids = voidLookups === 0 ? '' : `, ${voidLookups} of 2 that find nothing`;
  const none = usable === null ? 'unknown' : 'no record that receivers use';
  const cost = record === null ? none : `${lookups} of 10 look-ups${voids}`;
  return [
    `SPF      ${visible(domain)} (${whose}): ${cost}`,
    ...(record === null ? [] : [`           ${visible(record)}`]),
    ...terms
      .filter((one) => one.lookups > 0)
      .map(({ depth, term, lookups: own }) => {
        return `${' '.repeat(13 + 2 * depth)}${visible(term)}  ${own}`;
      }),
  ];
}

function dkimLine({ selector, domain, type, bits, usable }: DkimReport): string {
  const size = bits === null || type === 'ed25519' ? '' : `, ${bits} bits`;
  const key = type === null ? 'no key' : `${type}${size}`;
  const verdict = { true: '', false: ', not usable', null: ', unknown' }[`${usable}`];
  return visible(`DKIM     ${selector}._domainkey.${domain}: ${key}${verdict}`);
}

function dmarcLines({ from, dmarc, inAccount, spf, dkim }: DomainReport): string[] {
  const { domain, policy, tag, spfAligned, dkimAligned, fates, passes } = dmarc;
  const where = `_dmarc.${domain}`;
  const inForce =
    domain === null
      ? 'no record in force'
      : `${policy ?? 'no policy'}, by ${tag ?? 'p'}= at ${where}`;
  const words = { true: 'aligned', false: 'not aligned', null: 'unknown' } as const;
  const word = (aligned: boolean | null, records: readonly { usable: boolean | null }[]) => {
    const isUseless = records.length > 0 && records.every(({ usable }) => usable === false);
    return aligned === true && isUseless ? 'aligned, but not usable' : words[`${aligned}`];
  };
  const path = spf.filter(({ role }) => role === 'mail-from');
  const lines = [visible(`DMARC    ${from}: ${inForce}`)];
  if (!inAccount) return lines;
  const result = passes === null ? 'unknown' : passes ? 'passes' : 'fails';
  return [
    ...lines,
    `           mail of this account ${result}: SPF ${word(spfAligned, path)}; DKIM ${word(dkimAligned, dkim)}`,
    `           with none it is ${fates.none}, with quarantine ${fates.quarantine}, with reject ${fates.reject}`,
  ];
}

/** A table of the rules: a column for each receiver, and one for what it wants of bulk senders besides. */
function rulesLines(rules: readonly ReceiverRule[], { red }: CellStyle['palette']): string[] {
  const columns = [...new Set(rules.map(({ receiver }) => receiver))].flatMap((receiver) => [
    { title: receiver, receiver, bulk: false },
    { title: 'bulk', receiver, bulk: true },
  ]);
  const names = [...new Set(rules.map(({ rule }) => rule))];
  const width = Math.max(...names.map(({ length }) => length)) + 2;
  const table = names.map((name) => {
    const cells = columns.map(({ receiver, bulk }) => {
      const rule = rules.find(
        (one) => one.rule === name && one.receiver === receiver && one.bulk === bulk,
      );
      const word = rule === undefined ? '' : shownState[rule.state];
      return word === shownState['not met'] ? red(word.padEnd(8)) : word.padEnd(8);
    });
    return `  ${name.padEnd(width)}${cells.join('').trimEnd()}`;
  });
  const head = columns.map(({ title }) => title.padEnd(8)).join('');
  return [
    `${'Rules'.padEnd(width + 2)}${head.trimEnd()}`,
    ...table,
    `  ${shownState.unseen}: cannot be seen from here`,
  ];
}

const shownState: Readonly<Record<RuleState, string>> = {
  met: 'met',
  'not met': 'NOT met',
  unseen: '?',
};
