import { join } from 'node:path';
import { MailerError, withHint } from '../../base/errors.ts';
import { recordsDirectory } from '../../base/files/directories.ts';
import { isFileError } from '../../base/files/file-errors.ts';
import { makeDirectories } from '../../base/files/make-directories.ts';
import type { Context } from '../../command-line/command/context.ts';
import { sameCommand } from '../../command-line/command/repeat-command.ts';
import { createFlagOf } from './create-flags.ts';

/**
 * Does what follows the questions for a campaign. If it fails, the hint of the error ends with the command that gives
 * the answers as flags; a text of several lines is kept in a file.
 */
export async function keepingAnswers<Value>(
  context: Context,
  answers: Readonly<Record<string, string>>,
  work: () => Promise<Value>,
): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof MailerError) || Object.keys(answers).length === 0) throw error;
    const given: string[] = [];
    for (const [field, value] of Object.entries(answers)) {
      given.push(...(await asFlag(context, field, value)));
    }
    const again = `The same command with your answers:\n${sameCommand(context, [], given).line}`;
    throw withHint(error, ({ details }) => [details.hint, again].filter(Boolean).join('\n'));
  }
}

async function asFlag(context: Context, field: string, value: string): Promise<readonly string[]> {
  const flag = createFlagOf[field as keyof typeof createFlagOf];
  if (field === 'html' && value.includes('\n')) {
    const path = await keptText(context, value);
    if (path !== undefined) return ['--html-file', path];
  }
  return value.startsWith('-') ? [`${flag}=${value}`] : [flag, value];
}

/** The file that a text is kept in until another one is; undefined if it cannot be written. */
async function keptText(context: Context, html: string): Promise<string | undefined> {
  try {
    const directory = recordsDirectory('texts', context);
    makeDirectories(directory);
    const path = join(directory, 'campaign.html');
    // Late, because help pages do without the file system.
    const { replaceFile } = await import('../../base/files/replace-file.ts');
    await replaceFile(path, html);
    return path;
  } catch (error) {
    if (error instanceof MailerError || isFileError(error)) return undefined;
    throw error;
  }
}
