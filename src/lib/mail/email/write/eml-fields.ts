import type { SendBody } from '../../../../api/email.ts';
import { UsageError } from '../../../base/errors.ts';
import { defined } from '../../../base/json/defined.ts';
import type { Context } from '../../../command-line/command/context.ts';
import { type Person, parseEml, textOf } from '../../eml/parse-eml.ts';

/** What to do about parts of a message that cannot be read. */
function hintAbout(problems: readonly string[], damages: boolean): string | undefined {
  const isCharset = problems.some((one) => /\b(?:declared as|charset|read as)\b/.test(one));
  const hint = [
    ...(isCharset ? ['Save the message in UTF-8.'] : []),
    ...(damages ? ['To send it as far as it could be read, add --lossy.'] : []),
  ];
  return hint.length === 0 ? undefined : hint.join(' ');
}

interface EmlOptions {
  /** Whether to drop content that no request can carry. */
  readonly lossy: boolean;
  /** Whether `lossy` includes characters that cannot be read. */
  readonly damages: boolean;
  /** The fields from flags; undefined for flags not given. */
  readonly given: Readonly<Record<string, unknown>>;
}

/**
 * The fields of a request from the message that `--eml` names. Recipients from flags replace all those in
 * the message. Throws a `UsageError` if it cannot be read, or a request cannot carry all of it.
 */
export async function fieldsOfEml(
  { files, notes }: Pick<Context, 'files' | 'notes'>,
  path: string,
  { lossy, damages, given }: EmlOptions,
): Promise<Partial<SendBody>> {
  const bytes = await files.readBytes(path, '--eml');
  const { fields, lost, assumed, problems } = await readEml(bytes).catch((error: unknown) => {
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError(`--eml: ${path}: ${error.message}`, error.details);
  });
  if (lost.length > 0 && !lossy) {
    throw new UsageError(`--eml: the service cannot send ${lost.join(', ')}`, {
      hint: 'To send the email without that, add --lossy.',
    });
  }
  if (lost.length > 0) notes.say(`--eml: ${path}: left out: ${lost.join(', ')}`);
  if (problems.length > 0 && !(lossy && damages)) {
    throw new UsageError(`--eml: ${path}: ${problems.join('; ')}`, {
      hint: hintAbout(problems, damages),
    });
  }
  for (const one of [...problems, ...assumed]) notes.warn(`--eml: ${path}: ${one}.`);
  const { to, cc, bcc, headers, ...rest } = fields;
  const isForOthers = [given.to, given.cc, given.bcc].some((one) => one !== undefined);
  return {
    ...rest,
    ...(isForOthers ? {} : defined({ to, cc, bcc })),
    ...defined({ headers: given.inReplyToId === undefined ? headers : withoutThread(headers) }),
  };
}

/** Without the threading headers that the service adds to a reply. */
function withoutThread(headers: SendBody['headers']): SendBody['headers'] {
  const rest = Object.entries(headers ?? {}).filter(
    ([name]) => !/^(in-reply-to|references)$/i.test(name),
  );
  return rest.length === 0 ? undefined : Object.fromEntries(rest);
}

/** Reads an `.eml` file: unchecked fields of a request, and what no request can carry. Throws a `UsageError` if it cannot be read, or has no headers. */
async function readEml(bytes: Uint8Array) {
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

function list(
  field: 'to' | 'cc' | 'bcc' | 'replyTo',
  people: readonly Person[],
): Partial<SendBody> {
  const [first, ...rest] = people.map(textOf);
  if (first === undefined) return {};
  return { [field]: rest.length === 0 ? first : [first, ...rest] };
}
