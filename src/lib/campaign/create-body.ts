import type { CreateCampaignBody } from '../../api/campaign.ts';
import { addressesOf, senderSettings } from '../command/address-flags.ts';
import { askedSender, askForValues } from '../command/ask-for-values.ts';
import { askText } from '../command/ask-text.ts';
import { bookNeed } from '../command/books.ts';
import type { Context } from '../command/context.ts';
import { mergeFields } from '../command/request-fields.ts';
import { scheduledTime } from '../command/scheduled-time.ts';
import { UsageError } from '../errors.ts';
import type { NameOf } from '../http/check.ts';
import { readJsonObject } from '../input/json-input.ts';
import { textOrFile } from '../input/text-or-file.ts';
import { type CreateFlags, createFlagOf } from './create-flags.ts';

/** A campaign to create, as flags, file, settings and answers to questions make it. */
interface CreateRequest {
  /** Not checked against the contract yet: the client does that. */
  readonly body: CreateCampaignBody;
  readonly nameOf: NameOf;
  /** Whether a person was asked for some of it. */
  readonly asked: boolean;
}

/**
 * Puts the request together. A flag wins over the same field of `--file`, that over a setting.
 * Throws a `UsageError` for what cannot be read or understood, and for what is missing.
 */
export async function readCreateRequest(
  context: Context,
  flags: CreateFlags,
): Promise<CreateRequest> {
  const { fields, nameOf } = mergeFields({
    defaults: await senderSettings(context),
    file: flags.file ? await readJsonObject(flags.file, context.files, '--file') : {},
    flags: await fieldsOfFlags(context, flags),
    flagOf: createFlagOf,
  });
  const { sendNow, scheduledAt } = fields;
  if (sendNow === true && scheduledAt !== undefined) {
    throw new UsageError(
      `${nameOf('sendNow')} and ${nameOf('scheduledAt')} cannot be used together`,
    );
  }
  // Before the first question: nothing that is answered may be lost to a mistake in a flag.
  if (typeof scheduledAt === 'string') {
    const flag = nameOf('scheduledAt') ?? '';
    const at = await scheduledTime(scheduledAt, context, flag, flags.allowPast === true);
    fields.scheduledAt = at;
  }
  const answers = await askForMissing(context, fields);
  const body = { ...fields, ...answers };
  // What a file may hold is unknown here; the client checks every field against the contract.
  return {
    body: body as unknown as CreateCampaignBody,
    nameOf,
    asked: Object.keys(answers).length > 0,
  };
}

async function fieldsOfFlags(context: Context, flags: CreateFlags) {
  const { files } = context;
  const { contentFile, htmlFile } = flags;
  return {
    name: flags.name || undefined,
    from: flags.from || undefined,
    subject: flags.subject || undefined,
    contactBookId: flags.book || undefined,
    previewText: flags.previewText || undefined,
    content: await textOrFile(files, '--content', flags.content, contentFile),
    html: await textOrFile(files, '--html', flags.html, htmlFile),
    replyTo: await addressesOf(flags.replyTo, '--reply-to'),
    cc: await addressesOf(flags.cc, '--cc'),
    bcc: await addressesOf(flags.bcc, '--bcc'),
    sendNow: flags.sendNow,
    // An empty time must not mean "now": it is an error, like any other text that is not a time.
    scheduledAt: flags.scheduledAt,
    batchSize: flags.batchSize,
  } satisfies Record<keyof CreateCampaignBody, unknown>;
}

/**
 * Asks for what a campaign needs, where it is missing and can be asked for. Without an account that could
 * create it, nothing is asked.
 */
async function askForMissing(context: Context, fields: Readonly<Record<string, unknown>>) {
  const { prompts, flags } = context;
  const given = (...names: string[]) =>
    names.some((name) => fields[name] !== undefined) ? 'given' : undefined;
  const from = given('from');
  const hasBody = given('html', 'content');
  const wants = [given('name'), from, given('subject'), given('contactBookId'), hasBody];
  const asks = prompts.possible && wants.includes(undefined) && flags.dryRun !== true;
  const sender = asks ? await askedSender(context, from === undefined) : undefined;
  const needs = [
    { field: 'name', flag: '--name', question: 'Name', value: given('name') },
    { field: 'from', flag: '--from', question: 'From', value: from, ask: sender },
    { field: 'subject', flag: '--subject', question: 'Subject', value: given('subject') },
    { field: 'contactBookId', ...bookNeed(context, given('contactBookId')) },
    {
      field: 'html',
      flag: '--html',
      question: 'HTML',
      value: hasBody,
      ask: () => askText(context, 'HTML'),
    },
  ] as const;
  const answers = await askForValues(
    needs,
    prompts,
    hasBody ? undefined : 'Instead of --html, you can use --html-file or --content.',
  );
  return Object.fromEntries(
    needs.flatMap(({ field, value }, index) =>
      value === undefined ? [[field, answers[index]]] : [],
    ),
  );
}
