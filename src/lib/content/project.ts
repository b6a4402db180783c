import { UsageError } from '../errors.ts';
import type { System } from '../system/system.ts';
import script from './assets/project.js' with { type: 'text' };
import { standIn } from './placeholders.ts';

/** What only the packages of the user's project make HTML of. */
export type ProjectFormat = 'mjml' | 'react';

/** A file of the user's project. */
interface ProjectFile {
  readonly format: ProjectFormat;
  /** The flag that names it, for errors. */
  readonly flag: string;
  /** Absolute; packages are looked for from here. */
  readonly path: string;
}

/** What an email is made of: the text of MJML, or the values of a component, its own examples if undefined. */
export interface ProjectInput {
  readonly body?: string;
  readonly props?: Readonly<Record<string, unknown>> | undefined;
}

/** Makes HTML with the packages of the user's project. Throws a `UsageError` for what they cannot read. */
export interface OpenProject {
  htmlOf(input: ProjectInput): Promise<string>;
  /** Ends its process. */
  end(): void;
}

interface Reply {
  readonly html?: string;
  readonly error?: string;
  /** Packages that are not installed. */
  readonly missing?: readonly string[];
}

const unknownToMjml =
  'MJML calculates with this attribute. In a batch, {{ value | raw }} gives it the value as it is.';

/** What npm is to install besides, which the package does not bring. */
const peers: Readonly<Record<string, readonly string[]>> = { '@react-email/render': ['react-dom'] };

/** Starts the process that has the project. Throws a `UsageError` where a package is missing. */
export async function openProject(
  { startNode }: Pick<System, 'startNode'>,
  { format, flag, path }: ProjectFile,
): Promise<OpenProject> {
  const child = await startNode(script);
  const ask = async (question: object): Promise<Reply> => {
    try {
      return JSON.parse(await child.ask(JSON.stringify(question)));
    } catch (error) {
      if (error instanceof UsageError)
        throw new UsageError(`${flag}: ${error.message}`, error.details);
      throw error;
    }
  };
  const checked = ({ error, missing, html = '' }: Reply): string => {
    if (error !== undefined) {
      const shown = error.replace(standIn, '{{ … }}');
      const hint = shown === error ? undefined : unknownToMjml;
      throw new UsageError(`${flag}: ${shown}`, { hint });
    }
    if (missing === undefined) return html;
    const all = missing.flatMap((name) => [name, ...(peers[name] ?? [])]);
    throw new UsageError(`${flag} needs packages that are not installed: ${all.join(', ')}`, {
      hint: `Install them where the file is: npm install ${all.join(' ')}`,
    });
  };
  const end = () => child.end();
  try {
    checked(await ask({ format, path }));
  } catch (error) {
    end();
    throw error;
  }
  return { htmlOf: async (input) => checked(await ask(input)), end };
}
