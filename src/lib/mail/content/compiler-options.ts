import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { attempt } from '../../../shared/attempt.ts';

/** The options of a tsconfig.json; those that name files, by absolute paths. */
export interface CompilerOptions {
  readonly baseUrl?: string;
  readonly paths?: Readonly<Record<string, readonly string[]>>;
}

interface TsConfig {
  readonly extends?: string | readonly string[];
  readonly compilerOptions?: CompilerOptions;
}

/**
 * The options of a tsconfig.json and of those that it extends, as far as they exist. `check` gets each file before it is
 * read. Whoever compiles with these reads no other.
 */
export function compilerOptionsOf(
  file: string,
  check: (path: string) => void,
  project = dirname(file),
): CompilerOptions {
  check(file);
  const { extends: names = [], compilerOptions: own = {} } = parsed(file);
  const bases = [names].flat().flatMap((name) => baseOf(file, name) ?? []);
  const inherited = bases.map((one) => compilerOptionsOf(one, check, project));
  const options: CompilerOptions = Object.assign({}, ...inherited, own);
  const at = (path: string, from = dirname(file)) =>
    resolve(
      from,
      path.replace(/^\$\{configDir\}/, () => project),
    );
  const baseUrl = own.baseUrl === undefined ? options.baseUrl : at(own.baseUrl);
  const paths = Object.entries(own.paths ?? {}).map(
    ([alias, targets]) => [alias, targets.map((one) => at(one, baseUrl))] as const,
  );
  return {
    ...options,
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(own.paths ? { paths: Object.fromEntries(paths) } : {}),
  };
}

/** What an import may stand for by these options, without an extension. */
export function aliased(specifier: string, { baseUrl, paths = {} }: CompilerOptions): string[] {
  const ofPaths = Object.entries(paths).flatMap(([alias, targets]) => {
    const [start = '', end = ''] = alias.split('*');
    const rest = specifier.slice(start.length, specifier.length - end.length);
    return specifier.startsWith(start) ? targets.map((one) => one.replace('*', () => rest)) : [];
  });
  return baseUrl === undefined ? ofPaths : [...ofPaths, join(baseUrl, specifier)];
}

/** The file that a tsconfig.json extends: a path, or one in a package. */
function baseOf(file: string, name: string): string | undefined {
  if (name.startsWith('.') || isAbsolute(name)) {
    const path = resolve(dirname(file), name);
    return [path, `${path}.json`].find((one) => one.endsWith('.json') && existsSync(one));
  }
  const { resolve: find } = createRequire(file);
  return [name, `${name}.json`, `${name}/tsconfig.json`]
    .map((one) => attempt(() => find(one), ''))
    .find((one) => one.endsWith('.json'));
}

/** Its JSON may have comments, and commas before closing brackets. */
function parsed(file: string): TsConfig {
  const text = readFileSync(file, 'utf8')
    .replace(/^\uFEFF/, '')
    .replace(/("(?:\\.|[^"\\])*")|\/\/.*|\/\*[\s\S]*?\*\//g, '$1')
    .replace(/("(?:\\.|[^"\\])*")|,(?=\s*[}\]])/g, '$1');
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Error(`${file} is not JSON`, { cause });
  }
}
