import { emailStatuses } from '../../../api/email-status.ts';
import type { Value } from '../../store/store.ts';
import { fold } from './fold.ts';

/** One part of a query: SQL over `emails AS e` or `message_texts AS t`, with a value. */
export interface Condition {
  readonly table: 'e' | 't';
  readonly sql: string;
  readonly value: Value;
}

/** Examples of filters, for help. */
export const filterExamples = [
  'from:ana',
  'to:ben@example.com',
  'subject:"your order"',
  'has:attachment',
  'is:unread',
  'status:bounced',
  'after:2026-01-31',
  'before:2026-02-28',
] as const;

/** The condition for a filter's value, or the problem with it. Values are folded. */
const filters: Readonly<Record<string, (value: string) => Condition | string>> = {
  from: (value) => text('sender', value),
  to: (value) => text('recipients', value),
  subject: (value) => text('subject', value),
  has: (value) =>
    /^attachments?$/.test(value)
      ? { table: 'e', sql: 'e.has_attachments = ?', value: 1 }
      : 'has: takes attachment.',
  is: (value) =>
    value === 'unread' || value === 'read'
      ? {
          table: 'e',
          sql: '(e.seq IN (SELECT seq FROM unread)) = ?',
          value: value === 'unread' ? 1 : 0,
        }
      : 'is: takes unread or read.',
  status: (value) => {
    const name = value.toUpperCase().replace(/[\s-]/g, '_');
    const status = emailStatuses.find((one) => one === name || one.endsWith(`_${name}`));
    return status === undefined
      ? `“${value}” is not a status. Statuses: ${emailStatuses.join(', ').toLowerCase()}.`
      : { table: 'e', sql: 'e.latest_status = ?', value: status };
  },
  before: (value) => time('<', value),
  after: (value) => time('>=', value),
};

function text(column: 'sender' | 'recipients' | 'subject' | 'folded', value: string): Condition {
  return { table: 't', sql: `instr(t.${column}, ?)`, value: value.slice(0, termLength).trim() };
}

const isoTime = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?$/;

/** A date is its start in local time, which the pages show, too. */
function time(side: '<' | '>=', value: string): Condition | string {
  const [written = '', date = '', clock] = isoTime.exec(value.toUpperCase()) ?? [];
  const at = Date.parse(clock === undefined ? `${date}T00:00` : written);
  // Date.parse reads 31 February as 3 March.
  return Number.isNaN(at) || new Date(date).toJSON()?.startsWith(date) !== true
    ? `“${value}” is not a date such as 2026-01-31.`
    : { table: 'e', sql: `e.created_at ${side} ?`, value: at };
}

const mostConditions = 8;

const termLength = 100;

/**
 * Reads the words, quoted phrases and filters (`from:ana`) of a query. All must match. The problems are sentences that
 * say what cannot be searched for; a query with any finds nothing.
 */
export function readQuery(query: string) {
  const parts = [
    ...fold(query).matchAll(/([a-z]+):(?:"([^"]*)"?|([^\s/"]\S*)|(?=\s|$))|"([^"]+)"|\S+/g),
  ]
    .map(([whole, name, phrase, word, quoted]) =>
      name === undefined ? text('folded', quoted ?? whole) : filtered(name, phrase ?? word ?? ''),
    )
    .filter((part) => typeof part === 'string' || part.value !== '');
  const isCondition = (part: Condition | string) => typeof part !== 'string';
  const problems = parts.filter((part) => typeof part === 'string');
  if (parts.length > mostConditions) {
    problems.push(`A search has at most ${mostConditions} words, phrases and filters.`);
  }
  return { conditions: parts.filter(isCondition), problems };
}

function filtered(name: string, value: string): Condition | string {
  const filter = Object.hasOwn(filters, name) ? filters[name] : undefined;
  if (filter !== undefined) {
    return value === ''
      ? `${name}: needs a value directly after it, without a space.`
      : filter(value);
  }
  // The beginning of a subject, such as `re:`.
  if (value === '') return text('folded', `${name}:`);
  const known = Object.keys(filters).map((one) => `${one}:`);
  return `${name}: is not a filter. Filters: ${known.join(', ')}. To search for the text, quote it: "${name}:${value}".`;
}
