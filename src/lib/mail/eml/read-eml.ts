import type { SendBody } from '../../../api/email.ts';
import { UsageError } from '../../base/errors.ts';
import { type Named, parseEml, textOf } from './parse-eml.ts';

/** Reads an `.eml` file: unchecked fields of a request, and what no request can carry. Throws a `UsageError` if it cannot be read, or has no headers. */
export async function readEml(bytes: Uint8Array) {
  const { from, to, cc, bcc, replyTo, content, fields, ...rest } = await parseEml(bytes);
  if (fields === 0) throw new UsageError('It is not an email: it has no headers.');
  return {
    fields: {
      ...(from !== undefined && { from: textOf(from) }),
      ...list('to', to),
      ...list('cc', cc),
      ...list('bcc', bcc),
      ...list('replyTo', replyTo),
      ...content,
    },
    /** As nouns: `the digital signature`. */
    lost: rest.lost,
    /** What was assumed about its characters, and which of them are damaged: parts of sentences. */
    assumed: rest.assumed,
    problems: rest.problems,
  };
}

function list(field: 'to' | 'cc' | 'bcc' | 'replyTo', people: readonly Named[]): Partial<SendBody> {
  const [first, ...rest] = people.map(textOf);
  if (first === undefined) return {};
  return { [field]: rest.length === 0 ? first : [first, ...rest] };
}
