import { delimiter, isAbsolute } from 'node:path';
import script from 'project-script/text' with { type: 'text' };
import { ForeignFileError, UsageError } from '../../base/errors.ts';
import type { System } from '../../base/system/system.ts';
import { visible } from '../../base/text/visible.ts';
import type { CodeOwner } from './own-code.ts';
import { standIn } from './placeholders.ts';

/** Formats that only packages of the user's project can convert to HTML. */
export type ProjectFormat = 'mjml' | 'react';

/** A file of the user's project. */
interface ProjectFile {
  readonly format: ProjectFormat;
  /** The flag that names it, for errors. */
  readonly flag: string;
  /** The absolute path; packages are resolved from here. */
  readonly path: string;
}

/** The source of an email: the text of MJML, or the props of a component, by default its own examples. */
export interface ProjectInput {
  readonly body?: string;
  readonly props?: Readonly<Record<string, unknown>> | undefined;
}

interface Reply {
  readonly html?: string;
  readonly error?: string;
  readonly hint?: string;
  /** Whether it is because of a file that others control. */
  readonly isForeign?: true;
  /** Packages that are not installed. */
  readonly missing?: readonly string[];
}

const unknownToMjml =
  'MJML calculates with this attribute. In a batch, write {{ value | raw }} there.';

/** What else npm must install, because the package does not include it. */
const peers: Readonly<Record<string, readonly string[]>> = { '@react-email/render': ['react-dom'] };

type ProjectSystem = Pick<System, 'startNode' | 'env' | 'user' | 'accountHome'>;

/**
 * Starts the process that loads the project and creates HTML with its packages. Throws a `UsageError` if one is missing,
 * and for what they cannot read; a `ForeignFileError` for a file that others control.
 */
export async function openProject(system: ProjectSystem, { format, flag, path }: ProjectFile) {
  const owner = ownerIn(system);
  const child = await system.startNode(script);
  const ask = async (question: object): Promise<Reply> => {
    try {
      return JSON.parse(await child.ask(JSON.stringify(question)));
    } catch (error) {
      if (error instanceof UsageError)
        throw new UsageError(`${flag}: ${error.message}`, error.details);
      throw error;
    }
  };
  const checked = ({ error, hint, isForeign, missing, html = '' }: Reply): string => {
    // No row can be sent, so it is no error of one.
    if (isForeign) throw new ForeignFileError(`${flag}: ${error}`, { hint });
    if (error !== undefined) {
      const shown = error.replace(standIn, '{{ … }}');
      throw new UsageError(`${flag}: ${shown}`, {
        hint: shown === error ? hint : unknownToMjml,
      });
    }
    if (missing === undefined) return html;
    const all = missing.flatMap((name) => [name, ...(peers[name] ?? [])]);
    throw new UsageError(`${flag} needs packages that are not installed: ${all.join(', ')}`, {
      hint: `Install them where the file is: npm install ${all.join(' ')}`,
    });
  };
  const end = () => child.end();
  try {
    checked(await ask({ format, path, owner }));
  } catch (error) {
    end();
    throw error;
  }
  return { htmlOf: async (input: ProjectInput) => checked(await ask(input)), end };
}

/** The user, and the directories of `MAILER_TRUSTED_DIRS`. Throws a `UsageError` for a relative one. */
function ownerIn({ env, user, accountHome }: ProjectSystem): CodeOwner {
  const name = 'MAILER_TRUSTED_DIRS';
  const trusted = (env[name] ?? '').split(delimiter).filter((one) => one !== '');
  const relative = trusted.find((one) => !isAbsolute(one));
  if (relative === undefined) return { user, accountHome, trusted };
  throw new UsageError(`${name}: "${visible(relative)}" is not an absolute path`);
}
