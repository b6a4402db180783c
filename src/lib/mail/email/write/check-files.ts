import { type Dirent, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { attempt } from '../../../../shared/attempt.ts';
import { findingsIn } from '../../../../shared/check/check-email.ts';
import type { EmailFinding } from '../../../../shared/check/finding.ts';
import { ForeignFileError, UsageError } from '../../../base/errors.ts';
import { whyUnreadable } from '../../../base/input/input-files.ts';
import { visible } from '../../../base/text/visible.ts';
import type { Context } from '../../../command-line/command/context.ts';
import type { SkippedFile } from '../../check/check-shapes.ts';
import type { CheckedFile } from '../../check/show-check.ts';
import { typeOfName } from '../../content/body-files.ts';
import type { CheckFlags } from './check-flags.ts';
import { idOfFinding, readCheckInput } from './check-input.ts';

/** The files that paths name, with those in directories. Throws a `UsageError` for one that there is not. */
export function filesToCheck({ system, files }: Context, paths: readonly string[]) {
  const found: string[] = [];
  const skipped: SkippedFile[] = [];
  /** Whether there is more than one file, or a directory. */
  let isSeveral = paths.length > 1;
  for (const path of paths) {
    if (path !== '-' && isDirectory(resolve(system.cwd, path))) {
      isSeveral = true;
      lookInto(path, system.cwd, { found, skipped });
    } else {
      if (path !== '-' && !files.has(path))
        throw new UsageError(`There is no file ${visible(path)}`);
      found.push(path);
    }
  }
  return { files: [...new Set(found)], skipped, isSeveral };
}

interface Found {
  readonly found: string[];
  readonly skipped: SkippedFile[];
}

function lookInto(directory: string, cwd: string, all: Found): void {
  for (const entry of entriesOf(directory, cwd)) {
    const path = join(directory, entry.name);
    const why = whySkipped(entry, path, cwd);
    if (why !== undefined) all.skipped.push({ file: path, why });
    else if (isDirectory(resolve(cwd, path))) lookInto(path, cwd, all);
    else all.found.push(path);
  }
}

function entriesOf(directory: string, cwd: string): readonly Dirent[] {
  try {
    return readdirSync(resolve(cwd, directory), { withFileTypes: true }).sort((one, other) =>
      one.name < other.name ? -1 : 1,
    );
  } catch (error) {
    throw new UsageError(`${visible(directory)} ${whyUnreadable(error)}`, { cause: error });
  }
}

/** Why something in a directory is not checked; undefined if it is. */
function whySkipped(entry: Dirent, path: string, cwd: string): string | undefined {
  const { name } = entry;
  const isFolder = isDirectory(resolve(cwd, path));
  if (name.startsWith('.')) return 'hidden';
  if (isFolder && entry.isSymbolicLink()) return 'a link to a directory';
  if (name === 'node_modules') return 'packages';
  if (isFolder) return undefined;
  const type = typeOfName(name);
  if (type === undefined) return 'not an email, by its name';
  // To read a named pipe or a device may never end.
  if (isSpecial(resolve(cwd, path))) return 'not a file';
  // To read a component is to run it, and a directory may have any JSON.
  if (type === 'react') return 'a component, which must be named to be run';
  return type === 'json' ? 'JSON, which must be named' : undefined;
}

function isDirectory(path: string): boolean {
  return attempt(() => statSync(path).isDirectory(), false);
}

/** Whether there is something that is no file, such as a named pipe. */
function isSpecial(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === false;
}

/** Checks files one after the other. One that cannot be read is a finding, so that the others are checked. */
export async function checkFiles(
  context: Context,
  flags: CheckFlags,
  paths: readonly string[],
): Promise<readonly CheckedFile[]> {
  const checked: CheckedFile[] = [];
  for (const file of paths) {
    context.system.signal.throwIfAborted();
    checked.push(await checkFile(context, flags, file));
  }
  return checked;
}

async function checkFile(context: Context, flags: CheckFlags, file: string): Promise<CheckedFile> {
  const type = flags.type ?? typeOfName(file);
  const isBody = type !== 'text' && type !== 'eml' && type !== 'json';
  // Of several files, a flag is for those that can use it.
  const { layout, inlineCss, ...others } = flags;
  const ofFile = {
    ...others,
    ...(type === 'markdown' && layout ? { layout } : {}),
    ...(isBody && inlineCss ? { inlineCss } : {}),
  };
  try {
    return await checkOne(context, ofFile, file);
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof ForeignFileError)) throw error;
    const finding: EmailFinding = {
      ...{ code: 'file-invalid', severity: 'error', where: 'file', count: 1 },
      message: error.message.replaceAll('\n', '; '),
      url: 'docs/check.md#file-invalid',
    };
    const kind = flags.campaign === true ? 'campaign' : 'email';
    return { file, kind, partsOfFile: new Set(['file']), findings: [finding] };
  }
}

/** Checks a file, or the email that flags give. Throws a `UsageError` for what cannot be read. */
export async function checkOne(
  context: Context,
  flags: CheckFlags,
  file: string | undefined,
): Promise<CheckedFile> {
  const input = await readCheckInput(context, file, flags);
  const { email, kind, files, partsOfFile, ownFindings, places } = input;
  const answers =
    flags.links === true
      ? await (await import('../../check/ask-links.ts')).askLinks(context, email)
      : undefined;
  const all = findingsIn({ ...email, answers });
  const findings = await Promise.all(
    all.filter((found) => !ownFindings.has(idOfFinding(found))).map(places),
  );
  const hasOtherFiles = files.layout !== undefined || (file === undefined && 'body' in files);
  return { file: file ?? null, kind, partsOfFile, hasOtherFiles, findings };
}
