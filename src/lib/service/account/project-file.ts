import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  readFileSync,
  type Stats,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { UsageError } from '../../base/errors.ts';
import { fileErrorReason, isFileError } from '../../base/files/file-errors.ts';
import { isControlledBy } from '../../base/files/own-files.ts';
import { isPrivateGroup } from '../../base/files/private-group.ts';
import { openRegular } from '../../base/files/regular-file.ts';
import type { System } from '../../base/system/system.ts';
import { visible } from '../../base/text/visible.ts';

/** A project's settings for emails sent from its directory. */
const projectFileName = '.mailer.json';

/** The largest project file, in bytes. */
const largest = 1024 * 1024;

type ProjectSystem = Pick<System, 'cwd' | 'user'>;

/**
 * Reads `.mailer.json` in the working directory and all directories above it, up to the root: a file that
 * a person does not know about can only restrict what is sent.
 *
 * Throws a `UsageError` that names the file if it cannot be read or parsed, or has unknown names: a policy
 * must never be silently ignored.
 */
export async function readProjectFile(system: ProjectSystem) {
  const found = filesAround(system);
  if (found.length === 0) return { policies: [], check: { ignore: [] } };
  const { parseProject } = await import('./project-shape.ts');
  const parsed = found.map(({ path, text, isForeign }) => {
    const content = parseProject(text);
    if (typeof content === 'string') {
      throw new UsageError(`${visible(path)}: ${visible(content)}`, { hint });
    }
    return { ...content, path, isForeign };
  });
  const checking = parsed.find(({ check }) => check !== undefined);
  return {
    /** One for each file with a policy, innermost directory first. All of them apply. */
    policies: parsed.flatMap(({ path, isForeign, policy: rules }) =>
      rules === undefined ? [] : [{ path, rules, isForeign }],
    ),
    /** From the innermost file that has `check`. */
    check: { ignore: checking?.check?.ignore ?? [], path: checking?.path },
  };
}

interface Found {
  /** Absolute path of the file. */
  readonly path: string;
  readonly text: string;
  /** Whether others can change the file: such a file may restrict what is sent but not redirect it. */
  readonly isForeign: boolean;
}

function filesAround({ cwd, user }: ProjectSystem): Found[] {
  const found: Found[] = [];
  for (let directory = cwd; ; ) {
    const path = join(directory, projectFileName);
    const file = read(path, user);
    if (file !== undefined) found.push(file);
    const above = dirname(directory);
    if (above === directory) return found;
    directory = above;
  }
}

/** The file; undefined only if it certainly does not exist. */
function read(path: string, user: number | undefined): Found | undefined {
  try {
    // A link whose target is missing exists.
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return undefined;
    const descriptor = openRegular(path, constants.O_RDONLY);
    try {
      const stats = fstatSync(descriptor);
      if (stats.size > largest) {
        throw new UsageError(`${path} is larger than 1 MiB, so it is not read.`, { hint });
      }
      const isForeign = !isOwn(stats, user) || !isOwn(statSync(dirname(path)), user);
      return { path, text: readFileSync(descriptor, 'utf8'), isForeign };
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if (!isFileError(error)) throw error;
    const reason =
      error.code === 'ENOENT' ? 'it is a link to a missing file' : fileErrorReason(error);
    throw new UsageError(`${path} cannot be read: ${reason}.`, {
      hint,
      cause: error,
    });
  }
}

const hint = 'Nothing was sent, because this file may contain a policy. Correct it or remove it.';

function isOwn(stats: Stats, user: number | undefined): boolean {
  if (user === undefined) return true;
  return isControlledBy(user, stats, { isPrivateGroup: (group) => isPrivateGroup(group, user) });
}
