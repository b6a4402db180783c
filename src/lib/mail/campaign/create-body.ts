import type { Campaign, CreateCampaignBody } from '../../../api/campaign.ts';
import { UsageError } from '../../base/errors.ts';
import { textOrFile } from '../../base/input/text-or-file.ts';
import { askedSender, askForValues } from '../../command-line/command/ask/ask-for-values.ts';
import { askText } from '../../command-line/command/ask/ask-text.ts';
import type { Context } from '../../command-line/command/context.ts';
import {
  addressesOf,
  senderHint,
  senderSettings,
} from '../../command-line/command/flags/address-flags.ts';
import { mergeFields } from '../../command-line/command/flags/request-fields.ts';
import { scheduledTime } from '../../command-line/command/flags/scheduled-time.ts';
import { bookNeed } from '../../command-line/command/names/books.ts';
import { readRequestObject } from '../content/body-files.ts';
import { createPlaces } from '../content/check-places.ts';
import { type BodySource, readSource } from '../content/source.ts';
import { uncheckedTexts } from '../content/unchecked-fields.ts';
import { writtenBodyOf } from '../content/written-body.ts';
import { type CreateFlags, createFlagOf } from './create-flags.ts';
import { keepingAnswers } from './keep-answers.ts';
import { passCampaign } from './pass-campaign.ts';

/** A campaign to create, from flags, file, settings and answers to questions. */
export type CreateRequest = Awaited<ReturnType<typeof readCreateRequest>>;

/**
 * Builds the request. A flag overrides the same field of `--file`, and that overrides a setting; what none of them
 * gives is as in the campaign that is `replaced`. What can be checked without answers is checked before the first
 * question, so that a mistake does not waste them. Throws a `UsageError` for missing input, and for input that cannot be
 * read, understood or sent.
 */
export async function readCreateRequest(
  context: Context,
  flags: CreateFlags & { readonly segment?: string | undefined },
  replaced?: Campaign,
) {
  const source = await readSource(context, flags, 'campaign');
  const file = flags.file ? await readRequestObject(context, flags.file, 'campaign') : {};
  const ofFlags = await fieldsOfFlags(context, flags, source?.body);
  const hasBody = [ofFlags, file].some((one) => (one.html ?? one.content) !== undefined);
  const { fields, nameOf } = mergeFields({
    defaults: { ...(await senderSettings(context)), ...takenOver(replaced, hasBody) },
    front: { fields: fieldsOfFront(source), name: source?.name ?? '' },
    file,
    flags: ofFlags,
    flagOf: { ...createFlagOf, html: source?.flag ?? createFlagOf.html },
  });
  if (flags.segment !== undefined) {
    if (fields.contactBookId !== undefined) {
      throw new UsageError('--segment and --book cannot be used together');
    }
    // Its id is known once the campaign is about to be created.
    fields.contactBookId = `(new, of segment ${flags.segment})`;
  }
  const { sendNow, scheduledAt } = fields;
  if (sendNow === true && scheduledAt !== undefined) {
    throw new UsageError(
      `${nameOf('sendNow')} and ${nameOf('scheduledAt')} cannot be used together`,
    );
  }
  if (typeof scheduledAt === 'string') {
    const flag = nameOf('scheduledAt') ?? '';
    const at = await scheduledTime(scheduledAt, context, flag, flags.allowPast === true);
    fields.scheduledAt = at;
  }
  const contentOf = async (one: BodySource, given: Readonly<Record<string, unknown>>) => {
    const { makeContent } = await import('../content/content.ts');
    const about = { kind: 'campaign', makesText: false, props: {} } as const;
    return await makeContent(context, one, { ...about, ...uncheckedTexts(given) });
  };
  const placeOf = (part: string) =>
    (part === 'html' && source?.files.body) ||
    (nameOf(part === 'preview' ? 'previewText' : part) ?? part);
  /** Where a body is written. */
  const writtenFor = (body: Readonly<Record<string, unknown>>) => {
    const htmlOf = async (one: BodySource) => (await contentOf(one, body)).bodies.html;
    const places = createPlaces({ source, htmlOf, hasOwnText: false });
    return { places, placeOf, ...(source && writtenBodyOf(source)) };
  };
  const isDraft = sendNow !== true && scheduledAt === undefined;
  /** The fields with the body made, if nothing speaks against them. */
  const checked = async (given: Readonly<Record<string, unknown>>) => {
    const made = source && (await contentOf(source, given));
    const body: Readonly<Record<string, unknown>> = { ...given, ...made?.bodies };
    // A check says it all, and the book says more: what may be meant is said right before the campaign is created.
    const isLater = flags.check === true || (body.html ?? body.content) === undefined;
    await passCampaign(context, body, {
      ...{ door: isDraft ? 'draft' : 'now', undone: 'Nothing was created', isSaid: true },
      ...{ literal: flags.literal === true || isLater, written: writtenFor(body) },
    });
    return body;
  };
  const early = await checked(fields);
  const answers = await askForMissing(context, fields);
  const isAsked = Object.keys(answers).length > 0;
  const body = isAsked
    ? await keepingAnswers(context, answers, () => checked({ ...fields, ...answers }))
    : early;
  // The contents of the file are unknown here; the client checks every field against the contract.
  return {
    body: body as unknown as CreateCampaignBody,
    nameOf,
    /** The fields that were asked for. */
    answers,
    /** Where the body is written. */
    written: writtenFor(body),
  };
}

/** The front matter of a text in Markdown. A campaign has no recipients besides its contact book. */
function fieldsOfFront(source: BodySource | undefined) {
  const { to, lang, ...fields } = source?.front ?? {};
  if (to === undefined) return fields;
  throw new UsageError(`${source?.name}: to is for emails; a campaign goes to a contact book`, {
    hint: 'Remove it, and name the contact book with --book.',
  });
}

async function fieldsOfFlags(context: Context, flags: CreateFlags, html: string | undefined) {
  const { files } = context;
  return {
    name: flags.name || undefined,
    from: flags.from || undefined,
    subject: flags.subject || undefined,
    contactBookId: flags.book || undefined,
    previewText: flags.previewText || undefined,
    content: await textOrFile(files, '--content', flags.content, flags.contentFile),
    html,
    replyTo: await addressesOf(flags.replyTo, '--reply-to'),
    cc: await addressesOf(flags.cc, '--cc'),
    bcc: await addressesOf(flags.bcc, '--bcc'),
    sendNow: flags.now ?? flags.sendNow,
    // An empty time must not mean "now": it is an error, like any other text that is not a time.
    scheduledAt: flags.scheduledAt,
    batchSize: flags.batchSize,
  } satisfies Record<keyof CreateCampaignBody, unknown>;
}

/** Asks for missing fields that a campaign needs, if it can ask, and only if an account could create it. */
async function askForMissing(
  context: Context,
  fields: Readonly<Record<string, unknown>>,
): Promise<Readonly<Record<string, string>>> {
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
    from === undefined ? await senderHint(context) : undefined,
    hasBody
      ? undefined
      : 'Instead of --html, you can use --html-file, --markdown-file, --mjml-file, --react-email or --content.',
  );
  return Object.fromEntries(
    needs.flatMap(({ field, value }, index) =>
      value === undefined ? [[field, answers[index] ?? '']] : [],
    ),
  );
}

/** The fields that a campaign takes over from the one that it replaces, but for its body if it has one of its own. */
function takenOver(
  replaced: Campaign | undefined,
  hasBody: boolean,
): Readonly<Record<string, unknown>> {
  if (replaced === undefined) return {};
  const { name, from, subject, contactBookId, previewText, replyTo, cc, bcc, batchSize } = replaced;
  const { html, content } = replaced;
  const fields = {
    ...{ name, from, subject, contactBookId, previewText, replyTo, cc, bcc, batchSize },
    ...(hasBody ? {} : { html, content }),
  };
  const given = ([, value]: readonly [string, unknown]) =>
    value != null && value !== '' && !(Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(fields).filter(given));
}
