import { noValue } from '../../../shared/no-value.ts';
import { PolicyError, UsageError } from '../../base/errors.ts';
import { grouped, quantity } from '../../base/text/quantity.ts';
import { quotedNames } from '../../base/text/quoted-names.ts';
import { type ShellSystem, shellQuote } from '../../base/text/shell-quote.ts';
import { policyError, type RefusedBy } from '../../service/policy/refusal.ts';
import type { Consent, RowConsent } from '../consent/consent.ts';
import { mayLeaveOut, waysOut } from '../rows/max-invalid.ts';
import type { InputRow, Rows } from '../rows/row.ts';
import {
  addRow,
  createRowFindings,
  type RowFindings,
  rowsInWords,
  type SomeRows,
} from '../rows/row-findings.ts';
import type { Meanings } from './contact-columns.ts';
import { type CheckedContact, createContactReader, type NestedFields } from './contact-of-row.ts';
import type { ContactRows, SaidConsent, SaidRow } from './contact-rows.ts';
import type { ImportFlags } from './flags.ts';
import type { LeftOutRow } from './parts.ts';

/** The findings of checking all rows of an input. */
export type CheckedRows = Awaited<ReturnType<typeof checkRows>>;

interface CheckOptions {
  readonly contacts: ContactRows;
  /** How the book spells the name of a property. */
  readonly spelled: (property: string) => string;
  /** Takes a contact at once, unless an earlier row has its address; other rows are kept. */
  readonly take: ((row: SaidRow) => void) | undefined;
  /** Whether the last of several rows with one address counts. */
  readonly lastWins: boolean;
  /** Why a policy does not allow the service to mail this address; undefined if it does. */
  readonly whyNot: (email: string) => RefusedBy | undefined;
  readonly leaveOut: (row: LeftOutRow) => void;
  readonly signal: AbortSignal;
  /** Collects the names of ignored fields, which only the service sets. */
  readonly ignored: Set<string>;
  readonly meanings: Meanings & { readonly consent: Consent };
  /** Called with the number of rows so far, from time to time. */
  readonly report: (rows: number) => void;
}

/** Checks every row of an input, and collects the contacts of valid ones. */
export async function checkRows(rows: Rows, options: CheckOptions) {
  const { contacts, spelled, take, lastWins, whyNot, leaveOut, ignored, meanings } = options;
  const { consent: columns } = meanings;
  const { signal, report } = options;
  const findings = createRowFindings();
  const nested: NestedFields = { names: new Set(), columns: new Set() };
  const contactOf = createContactReader(spelled, ignored, meanings, nested);
  const properties = new Set<string>();
  /** Rows with what programs write for no value, by the names of fields and properties. */
  const nothing = new Map<string, SomeRows & { readonly example: string }>();
  let count = 0;
  let noAgainstYes = 0;
  const keep = (row: number, { contact, said, consent }: CheckedContact) => {
    const refusal = whyNot(contact.email);
    if (refusal !== undefined) throw policyError(refusal);
    for (const name in contact.properties) properties.add(name);
    const { email, firstName, lastName } = contact;
    for (const [name, text] of Object.entries({ firstName, lastName, ...contact.properties })) {
      if (text && noValue.test(text)) addRow(nothing, name, row, { example: text });
    }
    const { cells } = consent;
    const kept = { row, email, consent: saidConsent(consent), said, contact, cells };
    const earlier = contacts.earlier(kept);
    if (earlier === undefined) {
      columns.count(cells);
      // A column that turns out to say who wants email is no property.
      const mayChange = () => Object.keys(contact.properties).some(columns.mayDecide);
      if (take === undefined || mayChange()) contacts.keep(kept);
      else take(kept);
      return;
    }
    findings.repeated(row, email, earlier);
    if (!lastWins) return;
    const replaced = contacts.replace(earlier, kept);
    if (!replaced.staysNo) {
      columns.count(replaced.cells, -1);
      columns.count(cells);
    }
    if (replaced.isNoAgainstYes) noAgainstYes++;
    const note = `row ${row} has the same address`;
    leaveOut({ row: earlier, email: replaced.email, outcome: 'duplicate', note });
  };
  const check = (row: InputRow) => {
    if ('columns' in row) meanings.choices.see(row.ahead ?? row.columns);
    try {
      keep(row.number, contactOf(row));
    } catch (error) {
      if (!(error instanceof UsageError || error instanceof PolicyError)) throw error;
      const { problem: note, refusal } = findings.invalid(row.number, error);
      const outcome = refusal === undefined ? 'invalid' : 'policy';
      leaveOut({ row: row.number, email: addressIn(row), outcome, note, refusal });
    }
  };
  for await (const row of rows) {
    count = row.number;
    if (count % 1000 === 0) {
      signal.throwIfAborted();
      report(count);
    }
    check(row);
  }
  signal.throwIfAborted();
  return {
    rows: count,
    properties: [...properties],
    noAgainstYes,
    nothing,
    nested,
    ...findings.found(count),
  };
}

function saidConsent({ says, isStated, lacks }: RowConsent): SaidConsent {
  if (lacks !== undefined) return lacks;
  if (says !== 'no') return '';
  return isStated === true ? 'no' : 'perhaps no';
}

function addressIn(row: InputRow): string {
  const email = 'problem' in row ? undefined : row.fields.email;
  return typeof email === 'string' ? email : '';
}

/**
 * Throws an error that names the first invalid rows, unless they are skipped, and the first duplicates,
 * unless the last one counts: a `PolicyError` if a policy does not allow one of them, else a `UsageError`.
 */
export function refuseWrongRows(
  checked: CheckedRows,
  flags: Pick<ImportFlags, 'lastWins' | 'skipInvalid' | 'maxInvalid'>,
  system: ShellSystem,
): void {
  const { rows, invalid, problems, duplicates, repeated, refusal, nested } = checked;
  const isInvalid = !mayLeaveOut(flags, checked);
  const isRepeated = duplicates > 0 && flags.lastWins !== true;
  if (!isInvalid && !isRepeated) return;
  const lines = [
    ...(isInvalid
      ? [`${quantity(invalid, 'row')} of ${grouped(rows)} cannot be imported:`, ...problems]
      : []),
    ...(isRepeated
      ? [`${quantity(duplicates, 'row')} with the address of an earlier row:`, ...repeated]
      : []),
  ];
  const ways = [
    ...(isInvalid ? waysOut(flags, checked, 'import') : []),
    ...(isRepeated ? ['To take the last row of each address, add --last-wins.'] : []),
  ];
  const [message, hint] = [
    lines.join('\n'),
    ['Nothing was sent.', ...ways].join(' ') + without(nested, system),
  ];
  throw isInvalid && refusal !== undefined
    ? new PolicyError(message, { hint, refusal })
    : new UsageError(message, { hint });
}

/** The flag that leaves out fields with objects and lists. */
function without({ names, columns }: NestedFields, system: ShellSystem): string {
  const others = [...columns].filter((name) => !names.has(name));
  if (names.size === 0 || others.some((name) => name.includes(','))) return '';
  const only = shellQuote(['--only-columns', others.join()], system);
  return `\nTo leave out ${quotedNames([...names])}: ${only}`;
}

/** Warnings about rows that are left out, of several lines each. */
export function warningsAbout({
  invalid,
  problems,
  duplicates,
  repeated,
  nothing,
}: RowFindings & Pick<CheckedRows, 'nothing'>): string[][] {
  const skipped = [`${quantity(invalid, 'row')} skipped:`, ...problems];
  const replaced = [
    `${quantity(duplicates, 'row')} with the address of an earlier row; the last one counts:`,
    ...repeated,
  ];
  const noValues = [...nothing].map(([name, one]) => [
    `${JSON.stringify(name)} is a text such as ${JSON.stringify(one.example)} in ${rowsInWords(one)}. It is stored as it is, and campaigns send it.`,
  ]);
  return [...(invalid > 0 ? [skipped] : []), ...(duplicates > 0 ? [replaced] : []), ...noValues];
}
