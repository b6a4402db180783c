import { mailboxProblem, trimAddress } from '../../../api/address.ts';
import { UsageError } from '../errors.ts';
import { visible } from '../text/visible.ts';

/**
 * The mailboxes in the values of the repeatable `flag`, each with one or several, separated by
 * commas. Returns one as a string, several as an array. Throws a `UsageError` that names the first
 * invalid one.
 */
export function parseAddresses(values: readonly string[], flag: string): string | string[] {
  const [first, ...rest] = values.flatMap(splitList).map((part) => mailbox(part, flag));
  if (first === undefined) throw new UsageError(`${flag}: an email address is missing`);
  return rest.length === 0 ? first : [first, ...rest];
}

/** The only mailbox in `value`, trimmed. Throws a `UsageError` unless there is exactly one. */
export function oneAddress(value: string, flag: string): string {
  const parts = splitList(value);
  if (parts.length > 1 && parts.every((part) => mailboxProblem(trimAddress(part)) === undefined)) {
    throw new UsageError(`${flag} takes one email address, not ${parts.length}`);
  }
  return mailbox(value, flag);
}

function mailbox(part: string, flag: string): string {
  const trimmed = trimAddress(part);
  if (trimmed === '') throw new UsageError(`${flag}: an email address is missing`);
  const problem = mailboxProblem(trimmed);
  if (problem === undefined) return trimmed;
  throw new UsageError(`${flag}: "${visible(trimmed)}" is not an email address`, { hint: problem });
}

/**
 * Splits a list at commas outside quotes. The parser checks each part, so a wrong split is only an
 * error.
 */
export function splitList(value: string): string[] {
  if (!value.includes(',')) return [value];
  const parts: string[] = [];
  let start = 0;
  let quoted = false;
  for (let index = 0; index < value.length; index++) {
    const character = value[index];
    if (quoted && character === '\\') index++;
    else if (character === '"') quoted = !quoted;
    else if (character === ',' && !quoted) {
      parts.push(value.slice(start, index));
      start = index + 1;
    }
  }
  return [...parts, value.slice(start)];
}
