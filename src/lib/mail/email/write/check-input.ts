import { checkEmail } from '../../../../shared/check/check-email.ts';
import type { FoundAt } from '../../../../shared/check/collect.ts';
import type { EmailFinding } from '../../../../shared/check/finding.ts';
import type { EmailPart, MessageContent } from '../../../../shared/check/message.ts';
import { messageOfFields } from '../../../../shared/check/message-of-fields.ts';
import { UsageError } from '../../../base/errors.ts';
import { visible } from '../../../base/text/visible.ts';
import type { Context } from '../../../command-line/command/context.ts';
import { mergeFields } from '../../../command-line/command/flags/request-fields.ts';
import {
  type FileType,
  fileTypes,
  flagOfType,
  readRequestObject,
  typeOfName,
} from '../../content/body-files.ts';
import { createPlaces } from '../../content/check-places.ts';
import { readFrontMatter } from '../../content/front-matter.ts';
import { type BodySource, type FrontMatter, headOf, readSource } from '../../content/source.ts';
import { uncheckedTexts, uncheckedVariables } from '../../content/unchecked-fields.ts';
import { writtenBodyOf } from '../../content/written-body.ts';
import type { CheckFlags } from './check-flags.ts';
import { fieldsOfFlags } from './flag-fields.ts';
import { hasPlaceholders } from './local-content.ts';
import { sendFlagOf } from './send-flags.ts';

type SentKind = 'email' | 'campaign';

/** An email to check, and where it is written. */
interface CheckInput {
  readonly kind: SentKind;
  readonly email: MessageContent;
  readonly places: (found: FoundAt) => Promise<EmailFinding>;
  readonly files: BodySource['files'];
  /** The parts of the email that the file is or has in its front matter. */
  readonly partsOfFile: ReadonlySet<EmailPart>;
  /** What is found in the plain layout itself, by `idOfFinding`. */
  readonly ownFindings: ReadonlySet<string>;
}

/** Markdown with one of each kind. */
const anyMarkdown = `# a\n\n## b\n\n### c\n\n#### d\n\n> e\n\n- f\n\n1. g\n\n---\n\n    h\n\n\`i\` **j** _k_ ~~l~~\n\n- [x] m\n\n| n |\n| - |\n| o |\n\n[p](https://example.com/) ![q](https://example.com/r.png)\n`;

/**
 * The email to check, from a file and the flags of a send. Throws a `UsageError` if something cannot be read
 * or there is nothing to check.
 */
export async function readCheckInput(
  context: Context,
  path: string | undefined,
  given: CheckFlags,
): Promise<CheckInput> {
  if (path !== undefined && path !== '-' && !context.files.has(path)) {
    throw new UsageError(`There is no file ${visible(path)}`);
  }
  const type = path === undefined ? undefined : typeOfFile(path, given.type);
  const flags = path === undefined ? given : withFile(given, path, type);
  const read = await readSource(context, flags);
  const template = type === 'html' && read !== undefined ? await templateIn(read, path) : undefined;
  const source = template ?? read;
  const { lang, ...front } = source?.front ?? {};
  const { fields } = mergeFields({
    defaults: front,
    file: await readFile(context, flags),
    flags: {
      ...(await fieldsOfFlags(context, flags, source)),
      previewText: flags.previewText || undefined,
      // Fields of a campaign that do not concern its email.
      name: undefined,
      contactBookId: undefined,
      content: undefined,
      sendNow: undefined,
      batchSize: undefined,
    },
    flagOf: sendFlagOf,
  });
  const isCampaign = flags.campaign === true || 'contactBookId' in fields;
  const kind = isCampaign ? 'campaign' : 'email';
  const written = { ...fields };
  const made = source && (await bodiesOf(context, source, kind, written, flags));
  Object.assign(fields, made);
  const email = { ...messageOfFields(fields, kind), ...(source && writtenBodyOf(source)) };
  if (email.html === undefined && email.text === undefined && email.subject === undefined) {
    throw new UsageError('There is nothing to check', {
      hint: 'Give a file, or the flags of a send, such as --html-file.',
    });
  }
  // A file with HTML only is part of an email: whether the rest is complete is unknown.
  const isPart = type === 'html' || type === 'text' || type === 'mjml' || type === 'react';
  const isBare = isPart && (email.subject === undefined || template !== undefined);
  const literal = flags.literal === true;
  const checked: MessageContent = {
    ...{ ...email, literal },
    ...(isBare ? { isPart: true } : {}),
    ...(template === undefined ? {} : { kind: 'template' }),
  };
  const htmlOf = async (one: BodySource) => {
    const body = { ...written, html: one.body };
    return (await bodiesOf(context, one, kind, body, { ...flags, text: false })).html;
  };
  const hasOwnText = typeof written.text === 'string';
  return {
    kind,
    email: checked,
    places: createPlaces({ source, htmlOf, hasOwnText })(checked),
    ownFindings: await ownFindings(context, source, kind),
    files: source?.files ?? {},
    partsOfFile: new Set(partsOf(type, front)),
  };
}

/** The source with the name and the subject of a stored template, if that is what the HTML begins with. */
async function templateIn(source: BodySource, path = ''): Promise<BodySource | undefined> {
  if (!/^---[ \t]*\r?\n/.test(source.body)) return undefined;
  const { fields = {}, rest } = await readFrontMatter(path, source.body, ['name', 'subject']);
  const { subject = '' } = fields;
  return { ...source, ...headOf(source.body, rest), body: rest, front: { subject } };
}

/** The parts of the email that a file of this type is, or has in its front matter. */
export function partsOf(type: FileType | undefined, front: FrontMatter): readonly EmailPart[] {
  const ofFront = [
    ...(front.subject === undefined ? [] : (['subject'] as const)),
    ...(front.previewText === undefined ? [] : (['preview'] as const)),
  ];
  if (type === 'text') return ['text'];
  return type === 'html' || type === 'markdown' || type === 'mjml' ? ['html', ...ofFront] : [];
}

/** The bodies as a send would make them, but without a generated text if there is only HTML to check. */
async function bodiesOf(
  context: Context,
  source: BodySource,
  kind: SentKind,
  fields: Readonly<Record<string, unknown>>,
  flags: CheckFlags,
) {
  const makesText =
    kind === 'email' &&
    flags.text !== false &&
    fields.text === undefined &&
    fields.templateId === undefined &&
    (fields.subject !== undefined || source.format === 'markdown');
  const props = uncheckedVariables(fields);
  const written = { body: fields, source, placeOf: (field: string) => field, makesText };
  const isFilled = kind === 'email' && props !== undefined && flags.literal !== true;
  if (isFilled && hasPlaceholders(written)) {
    return (await (await import('./filled-content.ts')).filledContent(context, written)).fields;
  }
  const { makeContent } = await import('../../content/content.ts');
  const about = { kind, ...uncheckedTexts(fields), makesText, props };
  const { bodies } = await makeContent(context, source, about);
  return bodies;
}

/** The ids of what is found in the plain layout itself, which is not the writer's. */
export async function ownFindings(
  context: Context,
  source: BodySource | undefined,
  kind: SentKind,
): Promise<ReadonlySet<string>> {
  if (source?.format !== 'markdown' || source.layout !== undefined) return new Set();
  const { makeContent } = await import('../../content/content.ts');
  const about = { kind, subject: 'a', previewText: 'b', makesText: false };
  const { bodies } = await makeContent(context, { ...source, body: anyMarkdown }, about);
  return new Set(checkEmail({ kind, html: bodies.html, isPart: true }).map(idOfFinding));
}

/** Tells kinds of findings apart. */
export function idOfFinding({
  code,
  where,
  message,
}: Pick<EmailFinding, 'code' | 'where' | 'message'>): string {
  return `${code} ${where} ${message}`;
}

async function readFile(context: Context, { file, eml }: CheckFlags) {
  if (file && eml) throw new UsageError('--file and --eml cannot be used together');
  if (!eml) return file ? await readRequestObject(context, file, 'email') : {};
  const { fieldsOfEml } = await import('./eml-fields.ts');
  return await fieldsOfEml(context, eml, { lossy: true, damages: false, given: {} });
}

/** Throws a `UsageError` if neither a flag nor the extension gives the type. */
export function typeOfFile(path: string, type: FileType | undefined): FileType {
  const found = type ?? typeOfName(path);
  if (found !== undefined) return found;
  throw new UsageError(
    path === '-' ? '--type is needed for stdin' : `${path}: its name has no known extension`,
    { hint: `Give --type: ${fileTypes.join(', ')}` },
  );
}

/** The flags, with the one added that reads the file. */
export function withFile(flags: CheckFlags, path: string, type: FileType | undefined): CheckFlags {
  const [name, flag] = flagOfType[type ?? 'html'];
  if (flags[name]) throw new UsageError(`${flag} and a file cannot be used together`);
  return { ...flags, [name]: path };
}
