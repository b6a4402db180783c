import { closeSync, constants, fstatSync, readFileSync, type Stats, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { UsageError } from '../errors.ts';
import { fileErrorReason, isFileError } from '../files/file-errors.ts';
import { isDecidedBy } from '../files/own-files.ts';
import { isPrivateGroup } from '../files/private-group.ts';
import { openRegular } from '../files/regular-file.ts';
import type { System } from '../system/system.ts';
import { visible } from '../text/visible.ts';
import type { PolicyRules } from './policy-rules.ts';

/** What a project says about the emails that are sent from its directory. */
export const projectFileName = '.mailer.json';

/** Bytes of one at most. */
const largest = 1024 * 1024;

/** The policy of one project file. */
interface ProjectPolicy {
  /** Absolute path of the file. */
  readonly path: string;
  readonly rules: PolicyRules;
  /** Whether somebody else may change the file, which may narrow what is sent but not lead it away. */
  readonly isForeign: boolean;
}

/** What the project files around a directory say. */
export interface Project {
  /** One for each file with a policy, the innermost directory first. All of them hold. */
  readonly policies: readonly ProjectPolicy[];
  /** Of the innermost file that says something about checks. */
  readonly check: { readonly ignore: readonly string[] };
}

type ProjectSystem = Pick<System, 'cwd' | 'user'>;

/**
 * Reads `.mailer.json` in the working directory and in all directories above it, up to the root: one
 * that a person does not know of can only narrow what is sent.
 *
 * Throws a `UsageError` that names the file for one that cannot be read or understood, unknown names
 * included: a policy must never be ignored without a word.
 */
export async function readProjectFile(system: ProjectSystem): Promise<Project> {
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
  return {
    policies: parsed.flatMap(({ path, isForeign, policy: rules }) =>
      rules === undefined ? [] : [{ path, rules, isForeign }],
    ),
    check: { ignore: parsed.find(({ check }) => check !== undefined)?.check?.ignore ?? [] },
  };
}

interface Found {
  readonly path: string;
  readonly text: string;
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

/** The file, or undefined where there certainly is none. */
function read(path: string, user: number | undefined): Found | undefined {
  try {
    if (statSync(path, { throwIfNoEntry: false }) === undefined) return undefined;
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
    throw new UsageError(`${path} cannot be read: ${fileErrorReason(error)}.`, {
      hint,
      cause: error,
    });
  }
}

const hint =
  'Nothing was sent, because this file may say who may be mailed. Correct it, or remove it.';

function isOwn(stats: Stats, user: number | undefined): boolean {
  if (user === undefined) return true;
  return isDecidedBy(user, stats, { isPrivateGroup: (group) => isPrivateGroup(group, user) });
}
