import { UsageError } from '../errors.ts';
import type { System } from '../system/system.ts';
import script from './assets/project.js' with { type: 'text' };
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

/** Creates HTML with the packages of the user's project. Throws a `UsageError` for what they cannot read. */
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
  'MJML calculates with this attribute. In a batch, write {{ value | raw }} there.';

/** What else npm must install, because the package does not include it. */
const peers: Readonly<Record<string, readonly string[]>> = { '@react-email/render': ['react-dom'] };

/** Starts the process that loads the project. Throws a `UsageError` if a package is missing. */
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
