import type * as z from 'zod';
import { operations } from '../../api/operations.ts';
import type { LoadedCommand } from '../../commands/manifest.ts';
import { errorDocument } from '../../json-schemas/request-documents.ts';
import { outboxEntry } from '../../lib/command-line/outbox/outbox-shapes.ts';
import { dryRunDocument } from '../../lib/service/http/plan-shape.ts';

/** One of the documents that a command prints, with its schemas loaded. */
export interface PrintedDocument {
  /** The flags or arguments that print it; empty for the usual one. */
  readonly when: string;
  /** The content, without a full stop. */
  readonly what: string;
  readonly schema: z.ZodType;
  /** A line of `--jsonl`, on commands that list. */
  readonly line?: z.ZodType;
}

/** The documents of a command. With `--jsonl`, one without rows is a line. */
export async function documentsOf({
  prints,
  takes = [],
}: Pick<LoadedCommand, 'prints' | 'takes'>): Promise<readonly PrintedDocument[]> {
  return await Promise.all(
    prints.map(async ({ when, what, reply, schema, line = schema }) => ({
      when,
      what: what === '' && reply !== undefined ? responseTo(operations[reply]) : what,
      schema: await schema(),
      ...(takes.includes('lists') && line !== null ? { line: await line() } : {}),
    })),
  );
}

function responseTo({ method, path }: { readonly method: string; readonly path: string }): string {
  return `the service's response to \`${method} ${path}\``;
}

/** Documents that any command may print. */
export const commonDocuments = {
  error: {
    when: '',
    what: 'the object on stderr if a command fails',
    schema: errorDocument,
  },
  'for-approval': {
    when: '--for-approval',
    what: 'the entry of the outbox',
    schema: outboxEntry,
    line: outboxEntry,
  },
  'dry-run': {
    when: '--dry-run',
    what: 'the request that would be sent',
    schema: dryRunDocument,
    line: dryRunDocument,
  },
} as const satisfies Readonly<Record<string, PrintedDocument>>;
