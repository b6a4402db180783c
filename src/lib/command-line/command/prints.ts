import type * as z from 'zod';
import { loadOperation } from '../../../api/load-operation.ts';
import type { OperationId } from '../../../api/operations.ts';

/** A schema, loaded when it is needed: help and most runs do without. */
export type LateSchema = () => Promise<z.ZodType>;

/** One of the documents that a command prints as `--json`. */
export interface Printed {
  /** The flag or argument that prints it, such as `--wait`; empty for the usual one. */
  readonly when: string;
  /** The content, without a full stop; empty for the unmodified response of `reply`. */
  readonly what: string;
  /** The operation whose response it is. */
  readonly reply?: OperationId;
  readonly schema: LateSchema;
  /** A line of `--jsonl` on commands that list, if it is not the document; null if there is none. */
  readonly line?: LateSchema | null;
  /** Names that `--fields` takes besides those of the schema, such as titles of columns. */
  readonly columns?: readonly string[];
}

type Details = Partial<Omit<Printed, 'reply'>>;

/** The service's response to an operation. */
export function replyOf(id: OperationId, details: Details = {}): Printed {
  const schema = async () => (await loadOperation(id)).reply;
  return { when: '', what: '', reply: id, schema, ...details };
}

/** A document of mailer's own. */
export function documentOf(what: string, schema: LateSchema, details: Details = {}): Printed {
  return { when: '', what, schema, ...details };
}

/** A list of mailer's own, by the schema of its rows. */
export function rowsOf(what: string, row: LateSchema, details: Details = {}): Printed {
  const schema = async () => (await row()).array();
  return { when: '', what, schema, line: row, ...details };
}
