import type { SendBody } from '../../../api/email.ts';
import { limits } from '../../../api/limits.ts';
import { bestEffort } from '../../command/best-effort.ts';
import type { Context } from '../../command/context.ts';
import { addressesOf, senderSettings } from '../../command/flags/address-flags.ts';
import { mergeFields } from '../../command/flags/request-fields.ts';
import { scheduledTime } from '../../command/flags/scheduled-time.ts';
import { idGiven } from '../../command/names/last-made.ts';
import { templateNamed } from '../../command/names/templates.ts';
import type { RepeatFlags } from '../../command/repeat-command.ts';
import { flagOfFile, readRequestObject } from '../../content/body-files.ts';
import { localImagesIn, localImagesOf, refuseLocalImages } from '../../content/local-images.ts';
import {
  lostCharactersIn,
  lostCharactersOf,
  refuseLostCharacters,
} from '../../content/lost-characters.ts';
import { type BodySource, readSource, warnOfAttachedImages } from '../../content/source.ts';
import { uncheckedVariables } from '../../content/unchecked-fields.ts';
import { type Unfilled, unfilledInEnvelope } from '../../content/unfilled.ts';
import { UsageError, withHint } from '../../errors.ts';
import type { NameOf } from '../../http/check-request.ts';
import type { SendOptions } from '../../http/client.ts';
import type { InputFiles } from '../../input/input-files.ts';
import { keyValuesOrFile, parseHeaders } from '../../input/key-values.ts';
import { textOrFile } from '../../input/text-or-file.ts';
import { askForMissing } from './ask.ts';
import { checkNames } from './check-names.ts';
import { refuseFieldHeaders } from './field-headers.ts';
import { contentAsWritten, hasPlaceholders, type WrittenEmail } from './local-content.ts';
import { type ContentFlags, type SendFlags, sendFlagOf } from './send-flags.ts';
import type { TemplateInUse } from './template-in-use.ts';

/** A send request from flags, file, settings and answers to questions. */
export interface SendRequest {
  /** Unchecked: the client checks it against the contract. */
  readonly body: SendBody;
  readonly nameOf: NameOf;
  /** Flags that make the command repeatable: settings, answers, and the exact time in place of `in 1h`. */
  readonly settled: RepeatFlags;
  /** Whether a person was asked for any of it. */
  readonly asked: boolean;
  /** Placeholders that nothing fills in, unless they are meant as they are. */
  readonly unfilled?: readonly Unfilled[];
  /** The email as the service makes it from a stored template; undefined if that is not known. */
  readonly filled?: SendBody | undefined;
  /** What to do if the outcome is unknown, instead of repeating the command line. */
  readonly hintIfUnknown?: SendOptions['hintIfUnknown'];
}

/**
 * Assembles a send request. A flag takes precedence over the same field of `--file`, which does over a
 * setting. Throws a `UsageError` for what cannot be read or is invalid or missing.
 */
export async function readSendRequest(context: Context, flags: SendFlags): Promise<SendRequest> {
  const sender = await senderSettings(context);
  const { inReplyTo } = flags;
  const inReplyToId = inReplyTo ? await idGiven(context, 'email', inReplyTo) : undefined;
  const source = await readSource(context, flags);
  warnOfAttachedImages(context, source);
  const front = await fieldsOfFront(source);
  const given = { ...(await fieldsOfFlags(context, flags, source?.body)), inReplyToId };
  const { fields, nameOf, defaulted } = mergeFields({
    defaults: { ...sender, ...front },
    ...(await readRequestFile(context, flags, given)),
    flags: given,
    flagOf: { ...sendFlagOf, html: source?.flag ?? sendFlagOf.html },
  });
  const isLiteral = flags.literal === true;
  if (fields.templateId === undefined && source?.format !== 'react') {
    if (flags.eml) refuseVariables(flags, 'A message of --eml is sent as it is.');
    if (isLiteral) refuseVariables(flags, '--literal sends the email as it is.');
  }
  refuseFieldHeaders(fields.headers, nameOf('headers') ?? 'headers');
  const offline = context.flags.dryRun === true || flags.preview === true;
  const settled: Record<string, string | true> = {
    ...flagsOfSettings(
      sender,
      defaulted.filter((field) => !Object.hasOwn(front, field)),
    ),
    // When the command is repeated, @last may be another email.
    ...(inReplyToId && inReplyToId !== inReplyTo ? { '--in-reply-to': inReplyToId } : {}),
  };
  // Before the first question, so that a wrong flag does not cost a person their answers.
  if (typeof fields.scheduledAt === 'string') {
    const name = nameOf('scheduledAt') ?? '';
    const at = await scheduledTime(fields.scheduledAt, context, name, flags.allowPast === true);
    fields.scheduledAt = at;
    settled['--scheduled-at'] = at;
    settled['--allow-past'] = true;
  }
  // Before the template is looked up, because a wrong name is wrong without the service.
  if (fields.templateId !== undefined) {
    (await import('../../http/check-request.ts')).checkNamesIn(fields, nameOf);
  }
  if (flags.template && !offline) {
    const id = await templateNamed(context, flags.template);
    fields.templateId = id;
    if (id !== flags.template) settled['--template'] = id;
  }
  const template = isLiteral ? undefined : await templateInUse(context, fields, flags);
  const answers = await askForMissing(context, fields, offline);
  const body: Record<string, unknown> = { ...fields, ...answers.fields };
  const written = {
    body,
    source,
    placeOf: (field: string) => {
      if (defaulted.includes(field)) return `${source?.name}: ${field}`;
      if (field === 'variables' && flags.varsFile && !flags.var) return '--vars-file';
      return (field === 'text' && flags.textFile && '--text-file') || (nameOf(field) ?? field);
    },
    makesText: flags.text !== false && body.text === undefined && body.templateId === undefined,
  };
  const variables = uncheckedVariables(body);
  // A file may have variables without any use; they stay in the request.
  const isMeant = given.variables !== undefined || hasPlaceholders(written);
  const isFilled = variables !== undefined && isMeant && !isLiteral && !flags.eml;
  const content = isFilled
    ? await (await import('./filled-content.ts')).filledContent(context, written).catch((error) => {
        throw withHint(error, ({ details: { hint = [] } }) =>
          ['Nothing was sent.', hint].flat().join(' '),
        );
      })
    : await contentAsWritten(context, written);
  Object.assign(body, content.fields);
  if (!isLiteral && !flags.eml && flags.preview !== true) {
    refuseLostCharacters(lostIn(written, body), 'Nothing was sent.');
    await refuseImages(source, body, written.placeOf);
  }
  // Of a template that the service does not show, the names are not known.
  if (isFilled && content.names && (template !== undefined || body.templateId === undefined)) {
    checkNames(context, {
      given: Object.keys(variables),
      used: new Set([...content.names, ...(template?.names ?? [])]),
      flag: written.placeOf('variables'),
    });
  }
  // They are in the texts already.
  if ((isFilled || source?.format === 'react') && body.templateId === undefined) {
    delete body.variables;
  }
  // A file may contain anything; the client checks every field against the contract.
  const request = body as unknown as SendBody;
  const unfilled = [
    ...unfilledInEnvelope(body, written.placeOf),
    ...content.unfilled,
    ...(template?.unfilled(variables ?? {}) ?? []),
  ];
  return {
    body: request,
    nameOf: (field) =>
      Object.hasOwn(front, field) && defaulted.includes(field)
        ? `${source?.name}: ${field}`
        : nameOf(field),
    // The message of --eml is sent as it is.
    unfilled: isLiteral ? [] : unfilled.filter(({ place }) => !place.startsWith('--eml:')),
    filled: template?.filled(request),
    settled: { ...settled, ...answers.flags },
    asked: Object.keys(answers.flags).length > 0,
  };
}

/** The lost characters of an email, in its source rather than in what is made of it. */
function lostIn(
  { source, placeOf, makesText }: WrittenEmail,
  made: Readonly<Record<string, unknown>>,
) {
  const ofSource =
    source === undefined ? [] : lostCharactersIn(placeOf('html'), source.body, source.linesBefore);
  const { html, text, ...others } = made;
  const bodies = { ...(ofSource.length > 0 ? {} : { html }), ...(makesText ? {} : { text }) };
  return [...ofSource, ...lostCharactersOf({ ...others, ...bodies }, placeOf)];
}

/** Throws a `UsageError` for images that only this machine can load, in a source or a request's own HTML. */
async function refuseImages(
  source: BodySource | undefined,
  { html }: Readonly<Record<string, unknown>>,
  placeOf: (field: string) => string,
): Promise<void> {
  const text = typeof html === 'string' ? html : undefined;
  const found = source ? localImagesOf(source, text) : localImagesIn(placeOf('html'), html);
  refuseLocalImages(await found, 'Nothing was sent.');
}

/** The stored template of an email, if there is one that the service shows. A dry run asks for none. */
async function templateInUse(
  context: Context,
  { templateId }: Readonly<Record<string, unknown>>,
  { preview }: SendFlags,
): Promise<TemplateInUse | undefined> {
  if (typeof templateId !== 'string' || context.flags.dryRun === true) return undefined;
  const { readTemplateInUse } = await import('./template-in-use.ts');
  if (preview !== true) return await readTemplateInUse(context, templateId, false);
  // Not looked up yet, because a preview works without an account.
  const id = await bestEffort(context, () => templateNamed(context, templateId));
  return await readTemplateInUse(context, id ?? templateId, true);
}

/** The fields in the front matter of a Markdown text. */
async function fieldsOfFront(source: BodySource | undefined) {
  const { to, from, subject } = source?.front ?? {};
  return {
    ...(to ? { to: await addressesOf([to], `${source?.name}: to`) } : {}),
    ...(from ? { from } : {}),
    ...(subject ? { subject } : {}),
  };
}

/** Throws a `UsageError` for variables where nothing is filled in: services drop them. */
function refuseVariables(
  { var: words, varsFile }: Pick<ContentFlags, 'var' | 'varsFile'>,
  hint: string,
): void {
  if (!(words || varsFile)) return;
  throw new UsageError(`${words ? '--var' : '--vars-file'} has nothing to fill in`, { hint });
}

/** The fields in `--file` or `--eml`, and which of the two it is. */
async function readRequestFile(
  context: Context,
  { file, eml, lossy }: SendFlags,
  given: Readonly<Record<string, unknown>>,
) {
  if (!eml) {
    if (lossy) throw new UsageError('--lossy needs --eml');
    return { file: file ? await readFile(context, file) : {} };
  }
  if (file) throw new UsageError('--file and --eml cannot be used together');
  const { fieldsOfEml } = await import('./eml-fields.ts');
  return {
    file: await fieldsOfEml(context, eml, { lossy: lossy === true, damages: true, given }),
    fileFlag: '--eml',
  };
}

/** The object in `--file`, without null fields that the service treats as absent. */
async function readFile(context: Context, path: string): Promise<Record<string, unknown>> {
  const [fields, { nullableSendFields }] = await Promise.all([
    readRequestObject(context, path, 'email'),
    import('../../../api/email.ts'),
  ]);
  const given = Object.entries(fields).filter(
    ([field, value]) => value !== null || !nullableSendFields.includes(field),
  );
  return Object.fromEntries(given);
}

/** Settings used for fields of the request, as the flags that would set them. */
function flagsOfSettings(
  sender: Awaited<ReturnType<typeof senderSettings>>,
  defaulted: readonly string[],
): RepeatFlags {
  return Object.fromEntries(
    Object.entries(sender)
      .filter(([field]) => defaulted.includes(field))
      .map(([field, value]) => [flagNames[field] ?? field, [value].flat().join(', ')]),
  );
}

const flagNames: Readonly<Record<string, string | undefined>> = sendFlagOf;

/** The fields of a request from flags, with this HTML; undefined for flags not given. */
export async function fieldsOfFlags(
  context: Context,
  flags: ContentFlags & Pick<SendFlags, 'to'>,
  html: string | undefined,
) {
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
    text: await textOrFile(files, '--text', flags.text || undefined, flags.textFile, {
      literal: flags.literal,
      flagOf: (path) => flagOfFile(path, 'email'),
    }),
    html,
    headers: flags.header && parseHeaders(flags.header, '--header'),
    attachments: flags.attach && (await readAttachments(flags.attach, files, '--attach')),
    // An empty time, perhaps from an unset shell variable, must not mean "now": it is an error.
    scheduledAt: flags.scheduledAt,
    inReplyToId: flags.inReplyTo || undefined,
  } satisfies Record<keyof SendBody, unknown>;
}

/** An attachment as the service accepts it; `content` is base64. */
interface Attachment {
  readonly filename: string;
  readonly content: string;
}

/** Reads files to attach; each is named by the last part of its path, as on any system. */
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
    const filename = path.split(/[/\\]/).at(-1) ?? '';
    attachments.push({ filename, content: Buffer.from(bytes).toString('base64') });
  }
  return attachments;
}
