import type { CheckedEmail, EmailPart } from '../../../shared/check/finding.ts';
import { emailOfFields } from '../../check/checked-email.ts';
import type { Context } from '../../command/context.ts';
import { mergeFields } from '../../command/flags/request-fields.ts';
import { readRequestObject } from '../../content/body-files.ts';
import { type BodySource, readSource } from '../../content/source.ts';
import { uncheckedTexts, uncheckedVariables } from '../../content/unchecked-fields.ts';
import { UsageError } from '../../errors.ts';
import { visible } from '../../text/visible.ts';
import { type CheckFlags, type FileType, fileTypes } from './check-flags.ts';
import { fieldsOfFlags } from './flag-fields.ts';
import { hasPlaceholders } from './local-content.ts';
import { sendFlagOf } from './send-flags.ts';

/** File types by extension. */
const typeOfEnding: Readonly<Record<string, FileType>> = {
  html: 'html',
  htm: 'html',
  xhtml: 'html',
  txt: 'text',
  md: 'markdown',
  markdown: 'markdown',
  eml: 'eml',
  json: 'json',
  mjml: 'mjml',
  tsx: 'react',
  jsx: 'react',
};

interface CheckInput {
  readonly email: CheckedEmail;
  /** The part of the email that the file contains, so that findings refer to lines of the file. */
  readonly filePart: EmailPart | undefined;
  /** HTML with what the plain layout makes of any Markdown: nobody can mend findings about that. */
  readonly ownHtml: string | undefined;
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
  const type = path === undefined ? undefined : typeOf(path, given.type);
  const flags = path === undefined ? given : withFile(given, path, type);
  const source = await readSource(context, flags);
  const { lang, ...front } = source?.front ?? {};
  const { fields } = mergeFields({
    defaults: front,
    file: await readFile(context, flags),
    flags: {
      ...(await fieldsOfFlags(context, flags, source?.body)),
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
  if (source !== undefined)
    Object.assign(fields, await bodiesOf(context, source, kind, fields, flags));
  const email = emailOfFields(fields, kind);
  if (email.html === undefined && email.text === undefined && email.subject === undefined) {
    throw new UsageError('There is nothing to check', {
      hint: 'Give a file, or the flags of a send, such as --html-file.',
    });
  }
  const filePart = type === 'html' || type === 'text' ? type : undefined;
  // A file with HTML only is part of an email: whether the rest is complete is unknown.
  const isPart = filePart !== undefined || type === 'mjml' || type === 'react';
  const isBare = isPart && email.subject === undefined;
  const literal = flags.literal === true;
  const isPlain = source?.format === 'markdown' && source.layout === undefined;
  const ownHtml = isPlain ? await plainHtml(context, source, kind) : undefined;
  return { email: { ...email, literal, ...(isBare ? { isPart: true } : {}) }, filePart, ownHtml };
}

/** The bodies as a send would make them, but without a generated text if there is only HTML to check. */
async function bodiesOf(
  context: Context,
  source: BodySource,
  kind: CheckedEmail['kind'],
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

async function plainHtml(context: Context, source: BodySource, kind: CheckedEmail['kind']) {
  const { makeContent } = await import('../../content/content.ts');
  const about = { kind, subject: 'a', previewText: 'b', makesText: false };
  return (await makeContent(context, { ...source, body: anyMarkdown }, about)).bodies.html;
}

async function readFile(context: Context, { file, eml }: CheckFlags) {
  if (file && eml) throw new UsageError('--file and --eml cannot be used together');
  if (!eml) return file ? await readRequestObject(context, file, 'email') : {};
  const { fieldsOfEml } = await import('./eml-fields.ts');
  return await fieldsOfEml(context, eml, { lossy: true, damages: false, given: {} });
}

/** Throws a `UsageError` if neither a flag nor the extension gives the type. */
function typeOf(path: string, type: FileType | undefined): FileType {
  const ending = /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  const found = type ?? typeOfEnding[ending];
  if (found !== undefined) return found;
  throw new UsageError(
    path === '-' ? '--type is needed for stdin' : `${path}: its name has no known extension`,
    { hint: `Give --type: ${fileTypes.join(', ')}` },
  );
}

const flagOfType = {
  html: ['htmlFile', '--html-file'],
  text: ['textFile', '--text-file'],
  markdown: ['markdownFile', '--markdown-file'],
  mjml: ['mjmlFile', '--mjml-file'],
  react: ['reactEmail', '--react-email'],
  eml: ['eml', '--eml'],
  json: ['file', '--file'],
} as const satisfies Record<FileType, readonly [string, string]>;

/** The flags, with the one added that reads the file. */
function withFile(flags: CheckFlags, path: string, type: FileType | undefined): CheckFlags {
  const [name, flag] = flagOfType[type ?? 'html'];
  if (flags[name]) throw new UsageError(`${flag} and a file cannot be used together`);
  return { ...flags, [name]: path };
}
