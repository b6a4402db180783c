import type { SendBody } from '../../../../api/email.ts';
import { limits } from '../../../../api/limits.ts';
import { UsageError } from '../../../base/errors.ts';
import type { InputFiles } from '../../../base/input/input-files.ts';
import { keyValuesOrFile, parseHeaders } from '../../../base/input/key-values.ts';
import { textOrFile } from '../../../base/input/text-or-file.ts';
import type { Context } from '../../../command-line/command/context.ts';
import { addressesOf } from '../../../command-line/command/flags/address-flags.ts';
import { flagOfFile } from '../../content/body-files.ts';
import type { BodySource } from '../../content/source.ts';
import { refuseTextProps } from '../../content/text-props.ts';
import type { ContentFlags, SendFlags } from './send-flags.ts';

/** The fields of a request from flags, with this body; undefined for flags not given. */
export async function fieldsOfFlags(
  context: Context,
  flags: ContentFlags & Pick<SendFlags, 'to'>,
  source: BodySource | undefined,
) {
  const { files } = context;
  const values = { flag: '--var', words: flags.var, fileFlag: '--vars-file' };
  const variables = await keyValuesOrFile(files, { ...values, path: flags.varsFile });
  if (source !== undefined) {
    const texts = await keyValuesOrFile(files, { ...values, path: undefined });
    refuseTextProps(source, texts ?? {}, 'Give it in a JSON file, with --vars-file');
  }
  return {
    to: await addressesOf(flags.to, '--to'),
    from: flags.from || undefined,
    subject: flags.subject || undefined,
    templateId: flags.template || undefined,
    variables,
    replyTo: await addressesOf(flags.replyTo, '--reply-to'),
    cc: await addressesOf(flags.cc, '--cc'),
    bcc: await addressesOf(flags.bcc, '--bcc'),
    text: await textOrFile(files, '--text', flags.text || undefined, flags.textFile, {
      literal: flags.literal,
      flagOf: (path) => flagOfFile(path, 'email'),
    }),
    html: source?.body,
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
