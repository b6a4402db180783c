import type { SendBody } from '../../api/email.ts';
import { addressesOf, senderSettings } from '../address-flags.ts';
import { readAttachments } from '../attachments.ts';
import type { NameOf } from '../check.ts';
import type { Context } from '../context.ts';
import { UsageError } from '../errors.ts';
import { readJsonObject } from '../json-input.ts';
import { parseHeaders, parseKeyValues } from '../key-values.ts';
import { fulfil } from '../needs.ts';
import { scheduledTime } from '../scheduled-time.ts';
import { textOrFile } from '../text-or-file.ts';
import { type SendFlags, sendFlagOf } from './send-flags.ts';

/** A send request as flags, file, settings and answers to questions make it. */
export interface SendRequest {
  /** Not checked against the contract yet: the client does that. */
  readonly body: SendBody;
  readonly nameOf: NameOf;
  /** Flags that give what the command line itself does not: answers, and a time made exact. */
  readonly settled: Readonly<Record<string, string>>;
}

/**
 * Puts a send request together. A flag wins over the same field of `--file`, that over a setting.
 * Throws a `UsageError` for what cannot be read or understood, and for what is missing.
 */
export async function readSendRequest(context: Context, flags: SendFlags): Promise<SendRequest> {
  const file =
    flags.file === undefined ? {} : await readJsonObject(flags.file, context.files, '--file');
  refuseUnknown(file);
  const given = await fieldsOfFlags(context, flags);
  const nameOf: NameOf = (field) =>
    field in file && !(field in given) ? `--file: ${field}` : flagNames[field];
  const merged: Record<string, unknown> = {
    ...(await senderSettings(context)),
    ...file,
    ...given,
  };
  const answers = await askForMissing(context, merged);
  const settled: Record<string, string> = { ...answers.flags };
  if (typeof merged.scheduledAt === 'string') {
    const name = nameOf('scheduledAt') ?? '';
    const at = await scheduledTime(merged.scheduledAt, context, name, flags.allowPast === true);
    merged.scheduledAt = at;
    settled['--scheduled-at'] = at;
  }
  // What a file may hold is unknown here; the client checks every field against the contract.
  return { body: { ...merged, ...answers.fields } as unknown as SendBody, nameOf, settled };
}

/** Before anything is found missing: a misspelt field is what is missing under its right name. */
function refuseUnknown(file: Readonly<Record<string, unknown>>): void {
  const unknown = Object.keys(file).filter((field) => !Object.hasOwn(sendFlagOf, field));
  if (unknown.length === 0) return;
  throw new UsageError(
    `--file: unknown field ${unknown.map((field) => JSON.stringify(field)).join(', ')}`,
    { hint: `There are: ${Object.keys(sendFlagOf).join(', ')}` },
  );
}

const flagNames: Readonly<Record<string, string | undefined>> = sendFlagOf;

async function fieldsOfFlags(context: Context, flags: SendFlags): Promise<Partial<SendBody>> {
  const { files } = context;
  const varsFile = flags.varsFile;
  const variables = {
    ...(varsFile ? await readJsonObject(varsFile, files, '--vars-file') : {}),
    ...parseKeyValues(flags.var ?? [], '--var'),
  };
  const fields: Record<keyof SendBody, unknown> = {
    to: await addressesOf(flags.to, '--to'),
    from: flags.from,
    subject: flags.subject,
    templateId: flags.template,
    variables: flags.var || varsFile ? variables : undefined,
    replyTo: await addressesOf(flags.replyTo, '--reply-to'),
    cc: await addressesOf(flags.cc, '--cc'),
    bcc: await addressesOf(flags.bcc, '--bcc'),
    text: await textOrFile(files, '--text', flags.text, flags.textFile),
    html: await textOrFile(files, '--html', flags.html, flags.htmlFile),
    headers: flags.header && parseHeaders(flags.header, '--header'),
    attachments: flags.attach && (await readAttachments(flags.attach, files, '--attach')),
    scheduledAt: flags.scheduledAt,
    inReplyToId: flags.inReplyTo,
  };
  const given = Object.entries(fields).filter(
    ([field, value]) => value !== undefined && (value !== '' || field === 'scheduledAt'),
  );
  // An empty time, from a variable that is not set, must not mean "now"; it is refused as no time.
  return Object.fromEntries(given);
}

/** Asks for recipient, sender, subject and body where they are missing and can be asked for. */
async function askForMissing(context: Context, body: Readonly<Record<string, unknown>>) {
  const present = (field: string) => (body[field] === undefined ? undefined : 'given');
  const hasTemplate = body.templateId !== undefined;
  const hasBody = hasTemplate || body.text !== undefined || body.html !== undefined;
  const { isMailbox } = await import('../../api/address.ts');
  const check = (answer: string) =>
    isMailbox(answer) ? undefined : 'Not an email address, such as ana@example.com';
  const [to = '', from = '', subject = '', text = ''] = await fulfil(
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
    'Instead of --text, --html or --template will do.',
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
