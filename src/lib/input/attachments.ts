import { basename } from 'node:path';
import { limits } from '../../api/limits.ts';
import { UsageError } from '../errors.ts';
import type { InputFiles } from './input-files.ts';

/** An attachment as the service takes it; `content` is base64. */
export interface Attachment {
  readonly filename: string;
  readonly content: string;
}

/** Reads files to attach; each goes by the last part of its path. */
export async function readAttachments(
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
