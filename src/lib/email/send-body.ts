import { basename } from 'node:path';
import type { SendBody } from '../../api/email.ts';
import { limits } from '../../api/limits.ts';
import { addressesOf, senderSettings } from '../command/address-flags.ts';
import { askForValues } from '../command/ask-for-values.ts';
import type { Context } from '../command/context.ts';
import { idGiven } from '../command/last-made.ts';
import type { Settled } from '../command/repeat-command.ts';
import { mergeFields } from '../command/request-fields.ts';
import { scheduledTime } from '../command/scheduled-time.ts';
import { UsageError } from '../errors.ts';
import type { NameOf } from '../http/check.ts';
import type { InputFiles } from '../input/input-files.ts';
import { readJsonObject } from '../input/json-input.ts';
import { keyValuesOrFile, parseHeaders } from '../input/key-values.ts';
import { textOrFile } from '../input/text-or-file.ts';
import { type ContentFlags, type SendFlags, sendFlagOf } from './send-flags.ts';

/** A send request as flags, file, settings and answers to questions make it. */
interface SendRequest {
  /** Not checked against the contract yet: the client does that. */
  readonly body: SendBody;
  readonly nameOf: NameOf;
  /** Flags for what the command line lacks: settings, answers, and the exact time, which may pass. */
  readonly settled: Settled;
}

/**
 * Puts a send request together. A flag wins over the same field of `--file`, that over a setting.
 * Throws a `UsageError` for what cannot be read or understood, and for what is missing.
 */
export async function readSendRequest(context: Context, flags: SendFlags): Promise<SendRequest> {
  const sender = await senderSettings(context);
  const { inReplyTo } = flags;
  const inReplyToId = inReplyTo ? await idGiven(context, 'email', inReplyTo) : undefined;
  const { fields, nameOf, defaulted } = mergeFields({
    defaults: sender,
    file: flags.file ? await readFile(context, flags.file) : {},
    flags: { ...(await fieldsOfFlags(context, flags)), inReplyToId },
    flagOf: sendFlagOf,
  });
  refuseUnusedVariables(fields, flags);
  const answers = await askForMissing(context, fields);
  const settled: Record<string, string | true> = {
    ...flagsOfSettings(sender, defaulted),
    ...answers.flags,
    // By then another email may be the last one.
    ...(inReplyToId && inReplyToId !== inReplyTo ? { '--in-reply-to': inReplyToId } : {}),
  };
  const body = { ...fields, ...answers.fields };
  if (typeof fields.scheduledAt === 'string') {
    const name = nameOf('scheduledAt') ?? '';
    const at = await scheduledTime(fields.scheduledAt, context, name, flags.allowPast === true);
    Object.assign(body, { scheduledAt: at });
    settled['--scheduled-at'] = at;
    settled['--allow-past'] = true;
  }
  // What a file may hold is unknown here; the client checks every field against the contract.
  return { body: body as unknown as SendBody, nameOf, settled };
}

/** Services drop variables without a template; in a bulk run templates of the program's own use them. */
function refuseUnusedVariables(
  { templateId }: Readonly<Record<string, unknown>>,
  { var: words, varsFile }: SendFlags,
): void {
  if (templateId !== undefined || !(words || varsFile)) return;
  const flag = words ? '--var' : '--vars-file';
  throw new UsageError(`${flag} needs --template`, {
    hint: 'Only a stored template has variables; text and HTML are sent unchanged.',
  });
}

/** The object in `--file`, without fields that are null where the service takes that as not given. */
async function readFile({ files }: Context, path: string): Promise<Record<string, unknown>> {
  const [fields, { nullableSendFields }] = await Promise.all([
    readJsonObject(path, files, '--file'),
    import('../../api/email.ts'),
  ]);
  const given = Object.entries(fields).filter(
    ([field, value]) => value !== null || !nullableSendFields.includes(field),
  );
  return Object.fromEntries(given);
}

/** The settings that give a field of the request, as the flags that would give it. */
function flagsOfSettings(
  sender: Awaited<ReturnType<typeof senderSettings>>,
  defaulted: readonly string[],
): Settled {
  return Object.fromEntries(
    Object.entries(sender)
      .filter(([field]) => defaulted.includes(field))
      .map(([field, value]) => [flagNames[field] ?? field, [value].flat().join(', ')]),
  );
}

const flagNames: Readonly<Record<string, string | undefined>> = sendFlagOf;

/** The fields of a request that flags give; undefined where a flag was not given. */
export async function fieldsOfFlags(context: Context, flags: ContentFlags & Pick<SendFlags, 'to'>) {
  const { files } = context;
  return {
    to: await addressesOf(flags.to, '--to'),
    from: flags.from || undefined,
    subject: flags.subject || undefined,
    templateId: flags.template || undefined,
    variables: await keyValuesOrFile(files, {
      flag: '--var',
      words: flags.var,
      fileFlag: '--vars-file',
      path: flags.varsFile,
    }),
    replyTo: await addressesOf(flags.replyTo, '--reply-to'),
    cc: await addressesOf(flags.cc, '--cc'),
    bcc: await addressesOf(flags.bcc, '--bcc'),
    text: await textOrFile(files, '--text', flags.text, flags.textFile),
    html: await textOrFile(files, '--html', flags.html, flags.htmlFile),
    headers: flags.header && parseHeaders(flags.header, '--header'),
    attachments: flags.attach && (await readAttachments(flags.attach, files, '--attach')),
    // An empty time, from a variable that is not set, must not mean "now"; it is an error.
    scheduledAt: flags.scheduledAt,
    inReplyToId: flags.inReplyTo || undefined,
  } satisfies Record<keyof SendBody, unknown>;
}

/** Asks for recipient, sender, subject and body where they are missing and can be asked for. */
async function askForMissing(context: Context, body: Readonly<Record<string, unknown>>) {
  const present = (field: string) => (body[field] === undefined ? undefined : 'given');
  const hasTemplate = body.templateId !== undefined;
  const hasBody = hasTemplate || body.text !== undefined || body.html !== undefined;
  const { isMailbox } = await import('../../api/address.ts');
  const check = (answer: string) =>
    isMailbox(answer) ? undefined : 'Not an email address, such as ana@example.com';
  const [to = '', from = '', subject = '', text = ''] = await askForValues(
    [
      { flag: '--to', question: 'To', value: present('to'), check },
      { flag: '--from', question: 'From', value: present('from'), check },
      {
        flag: '--subject',
        question: 'Subject',
        value: hasTemplate ? 'given' : present('subject'),
      },
      {
        flag: '--text',
        question: 'Text',
        value: hasBody ? 'given' : undefined,
      },
    ],
    context.prompts,
    'Instead of --text, you can use --html or --template.',
  );
  const fields = {
    ...(body.to === undefined ? { to } : {}),
    ...(body.from === undefined ? { from } : {}),
    ...(body.subject === undefined && !hasTemplate ? { subject } : {}),
    ...(hasBody ? {} : { text }),
  };
  const flags = Object.entries(fields).map(([field, value]) => [flagNames[field] ?? field, value]);
  return { fields, flags: Object.fromEntries(flags) as Record<string, string> };
}

/** An attachment as the service takes it; `content` is base64. */
interface Attachment {
  readonly filename: string;
  readonly content: string;
}

/** Reads files to attach; each goes by the last part of its path. */
async function readAttachments(
  paths: readonly string[],
  files: InputFiles,
  flag: string,
): Promise<Attachment[]> {
  if (paths.length > limits.attachmentsPerEmail) {
    throw new UsageError(
      `${flag}: ${paths.length} files; an email has at most ${limits.attachmentsPerEmail}`,
    );
  }
  const attachments: Attachment[] = [];
  for (const path of paths) {
    if (path === '-') throw new UsageError(`${flag}: stdin has no file name; give a path`);
    const bytes = await files.readBytes(path, flag);
    if (bytes.byteLength === 0) throw new UsageError(`${flag}: ${path} is empty`);
    attachments.push({ filename: basename(path), content: Buffer.from(bytes).toString('base64') });
  }
  return attachments;
}
