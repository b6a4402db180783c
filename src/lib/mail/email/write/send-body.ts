import type { SendBody } from '../../../../api/email.ts';
import type { FoundAt } from '../../../../shared/check/collect.ts';
import { type MessageContent, textParts } from '../../../../shared/check/message.ts';
import { messageOfFields } from '../../../../shared/check/message-of-fields.ts';
import { UsageError, withHint } from '../../../base/errors.ts';
import { compact } from '../../../base/text/compact.ts';
import { bestEffort } from '../../../command-line/command/best-effort.ts';
import type { Context } from '../../../command-line/command/context.ts';
import { addressesOf, senderSettings } from '../../../command-line/command/flags/address-flags.ts';
import { mergeFields } from '../../../command-line/command/flags/request-fields.ts';
import { scheduledTime } from '../../../command-line/command/flags/scheduled-time.ts';
import { idGiven } from '../../../command-line/command/names/last-made.ts';
import { templateNamed } from '../../../command-line/command/names/templates.ts';
import { once } from '../../../command-line/command/once.ts';
import type { RepeatFlags } from '../../../command-line/command/repeat-command.ts';
import type { NameOf } from '../../../service/http/check-request.ts';
import type { SendOptions } from '../../../service/http/client.ts';
import type { Passed } from '../../../service/http/passed.ts';
import { readRequestObject } from '../../content/body-files.ts';
import { createPlaces } from '../../content/check-places.ts';
import { type BodySource, readSource } from '../../content/source.ts';
import { uncheckedVariables } from '../../content/unchecked-fields.ts';
import { writtenBodyOf } from '../../content/written-body.ts';
import { type Advice, type Passing, pass, type WrittenMessage } from '../../message/gate.ts';
import { askForMissing } from './ask.ts';
import { checkNames } from './check-names.ts';
import { refuseFieldHeaders } from './field-headers.ts';
import { fieldsOfFlags } from './flag-fields.ts';
import { contentAsWritten, hasPlaceholders, type WrittenEmail } from './local-content.ts';
import { type ContentFlags, type SendFlags, sendFlagOf } from './send-flags.ts';
import { readTemplateInUse, type TemplateInUse } from './template-in-use.ts';

/** An email to send, and how to send it again. */
export interface SendRequest {
  readonly body: SendBody;
  readonly passed: Passed;
  /** Flags that make the command repeatable: settings, answers, and the exact time in place of `in 1h`. */
  readonly settled: RepeatFlags;
  /** What to do if the outcome is unknown, instead of repeating the command line. */
  readonly hintIfUnknown?: SendOptions['hintIfUnknown'];
}

/** An email from flags, file, settings and answers to questions, checked against the contract. */
export type ReadRequest = Awaited<ReturnType<typeof readSendRequest>>;

/**
 * Reads an email to send. A flag takes precedence over the same field of `--file` or `--eml`, which does over front
 * matter, and that over a setting; a person is asked for what is missing. Throws one `UsageError` for what cannot be
 * read, is invalid or missing, before the service is asked for a template.
 */
export async function readSendRequest(context: Context, flags: SendFlags) {
  const isLiteral = flags.literal === true;
  const { fields, source, nameOf, settled, ...written } = await readFields(context, flags);
  const stored = once(() => storedTemplate(context, fields.templateId, flags));
  const offline = context.flags.dryRun === true || flags.preview === true;
  const answers = await askForMissing(context, fields, offline, async () => {
    // Variables that fill in local texts need no names that a service accepts.
    const { variables, ...others } = fields;
    const isOfService = fields.templateId !== undefined;
    await checkedBody({ ...anything, ...others, ...(isOfService && { variables }) }, nameOf);
    await stored();
  });
  const body: Record<string, unknown> = { ...fields, ...answers.fields };
  const isLocal = body.templateId === undefined;
  const placeOf = (field: string) => nameOf(field) ?? field;
  const makesText = flags.text !== false && body.text === undefined && isLocal;
  const email = { body, source, placeOf, makesText };
  const variables = uncheckedVariables(body);
  // A file may have variables without any use; they stay in the request.
  const isMeant = written.givesVariables || hasPlaceholders(email);
  const isFilled = variables !== undefined && isMeant && !isLiteral && !flags.eml;
  const contentOf = async (one: WrittenEmail) =>
    isFilled
      ? await (await import('./filled-content.ts')).filledContent(context, one)
      : await contentAsWritten(context, one);
  const asWritten = { ...email, body: { ...body } };
  const content = await contentOf(asWritten).catch((error) => {
    if (!isFilled) throw error;
    throw withHint(error, ({ details: { hint = [] } }) =>
      ['Nothing was sent.', hint].flat().join(' '),
    );
  });
  Object.assign(body, content.fields);
  // They are in the texts already.
  if ((isFilled || source?.format === 'react') && isLocal) delete body.variables;
  const checked = await checkedBody(body, nameOf);
  const htmlOf = async (one: BodySource) => {
    const html = { ...asWritten.body, html: one.body };
    return (await contentOf({ ...email, source: one, body: html, makesText: false })).fields.html;
  };
  const places = createPlaces({ source, htmlOf, hasOwnText: !makesText });
  const placeAt = (part: string) => placeOf(part === 'preview' ? 'previewText' : part);
  const message: MessageContent = {
    ...messageOfFields({ ...checked }, 'email'),
    ...(source && writtenBodyOf(source)),
    ...{ fills: content.fills, meant: content.meant },
    isData: content.isData,
    isOfOthers: (where) => placeAt(where).startsWith('--eml:'),
  };
  const own: WrittenMessage = {
    ...{ message, places: places(message) },
    placeOf: (part) => (part === 'html' && source?.files.body) || placeAt(part),
  };
  const passing: Passing = {
    door: checked.scheduledAt === undefined ? 'now' : 'later',
    nothing: `Nothing was ${checked.scheduledAt === undefined ? 'sent' : 'scheduled'}.`,
    // A message of --eml is sent as it is.
    advice: flags.eml ? undefined : adviceOnPlaceholders,
    // What the reader of a message finds in its characters was said.
    except: flags.eml ? ['characters-lost'] : [],
    literal: isLiteral || (flags.eml !== undefined && flags.lossy === true),
  };
  // What is wrong without the service, too, is said before it is asked.
  const isEarly = !isLocal && flags.preview !== true && flags.check !== true;
  if (isEarly) await pass(context, own, { ...passing, isSaid: true });
  const { id, template } = await stored();
  // Of a template that the service does not show, the names are not known.
  if (isFilled && content.names && (template !== undefined || isLocal)) {
    checkNames(context, {
      given: Object.keys(variables),
      used: new Set([...content.names, ...(template?.names ?? [])]),
      flag: placeOf('variables'),
    });
  }
  return {
    body: id === undefined ? checked : { ...checked, templateId: id },
    /** Has the email pass the gate. With a check before it, what may be meant was said. */
    pass: async (isSaid: boolean) => {
      const written = [own, ...(template ? [template.written(variables ?? {})] : [])];
      return await pass(context, written, { ...passing, isSaid });
    },
    /** Whether placeholders are meant as they are written. */
    isLiteral,
    /** The email as the service makes it from a stored template, as far as that is known. */
    filled: (sent: SendBody) => template?.filled(sent) ?? sent,
    places,
    settled: {
      ...settled,
      ...(id && flags.template && id !== flags.template ? { '--template': id } : {}),
      ...answers.flags,
    },
    /** Whether a person was asked for any of it. */
    asked: Object.keys(answers.flags).length > 0,
  };
}

/** Stands for what a person is going to be asked for. */
const anything = { to: 'a@example.com', from: 'a@example.com', subject: 'a', text: 'a' };

/** The fields of a request from flags, file, front matter and settings, before a person is asked for others. */
async function readFields(context: Context, flags: SendFlags) {
  const sender = await senderSettings(context);
  const { inReplyTo } = flags;
  const inReplyToId = inReplyTo ? await idGiven(context, 'email', inReplyTo) : undefined;
  const source = await readSource(context, flags);
  const given = { ...(await fieldsOfFlags(context, flags, source)), inReplyToId };
  const { fields, nameOf, defaulted } = mergeFields({
    defaults: sender,
    front: { fields: await fieldsOfFront(source), name: source?.name ?? '' },
    ...(await readRequestFile(context, flags, given)),
    flags: given,
    flagOf: {
      ...sendFlagOf,
      html: source?.flag ?? sendFlagOf.html,
      text: flags.textFile ? '--text-file' : sendFlagOf.text,
      variables: flags.varsFile && !flags.var ? '--vars-file' : sendFlagOf.variables,
    },
  });
  if (fields.templateId === undefined && source?.format !== 'react') {
    if (flags.eml) refuseVariables(flags, 'A message of --eml is sent as it is.');
    if (flags.literal) refuseVariables(flags, '--literal sends the email as it is.');
  }
  refuseFieldHeaders(fields.headers, nameOf('headers') ?? 'headers');
  const settled: Record<string, string | true> = {
    ...flagsOfSettings(sender, defaulted),
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
  return { fields, source, nameOf, settled, givesVariables: given.variables !== undefined };
}

/** The request's body. Throws one `UsageError` for all that the contract does not allow. */
async function checkedBody(body: unknown, nameOf: NameOf): Promise<SendBody> {
  const [{ sendEmail }, { checkInput }] = await Promise.all([
    import('../../../../api/email.ts'),
    import('../../../service/http/check-request.ts'),
  ]);
  // The operation's input has a body of this type.
  return checkInput(sendEmail, { body }, nameOf).body as SendBody;
}

/** How to fill in placeholders. Values of these names can be given in a flag. */
function adviceOnPlaceholders(code: string, found: readonly FoundAt[]): Advice {
  if (code === 'foreign-tag') return { sentences: ['Placeholders of mailer are {{ name }}.'] };
  // What is in values, values do not fill in.
  if (code !== 'placeholder' || found.every(({ isLikely }) => isLikely)) return {};
  const inTexts = found.filter(({ where }) => textParts.some((part) => part === where));
  const names = inTexts.flatMap(
    ({ item }) => /^\{\{\s*([A-Za-z_][\w-]*)\s*(?:[|,]|\}\})/.exec(item)?.[1] ?? [],
  );
  const vars = [...new Set(names)].slice(0, 3).map((name) => `--var ${name}=VALUE`);
  const [it, value] = found.length === 1 ? ['it', 'its value'] : ['them', 'their values'];
  return {
    sentences: compact(
      vars.length > 0 && `To fill ${it} in, give ${value}: ${vars.join(' ')}.`,
      inTexts.length < found.length && 'In addresses and headers, nothing is filled in.',
    ),
  };
}

/** The id to send instead of a template's name, and the template. */
interface StoredTemplate {
  readonly id?: string;
  readonly template?: TemplateInUse | undefined;
}

/** The id of the stored template that `--template` names, and a template that the service shows. A dry run asks for none. */
async function storedTemplate(
  context: Context,
  templateId: unknown,
  { template: named, literal, preview }: SendFlags,
): Promise<StoredTemplate> {
  if (typeof templateId !== 'string' || context.flags.dryRun === true) return {};
  const read = async (id: string) => {
    if (literal) return undefined;
    return await readTemplateInUse(context, id, preview === true);
  };
  if (preview) {
    // Its name stays in the request, because a preview works without an account.
    const id = await bestEffort(context, () => templateNamed(context, templateId));
    return { template: await read(id ?? templateId) };
  }
  const id = named ? await templateNamed(context, named) : templateId;
  return { id, template: await read(id) };
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
  const { withoutNulls } = await import('../../../../api/email.ts');
  return withoutNulls(await readRequestObject(context, path, 'email'));
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
