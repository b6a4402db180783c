import { globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { transformSync } from 'rolldown/utils';
import { root } from './process.ts';

/** One import or re-export, as written. */
export interface Import {
  readonly from: string;
  readonly kind: 'static' | 'dynamic' | 'type';
}

/**
 * Files of the checkout below the given folders, as paths from its root, without anything installed, built or
 * not text.
 */
export function filesIn(...patterns: readonly string[]): string[] {
  const exclude = ['node_modules', 'dist', 'coverage', '.git'];
  return globSync([...patterns], {
    cwd: root,
    withFileTypes: true,
    exclude: (entry) => exclude.includes(entry.name),
  })
    .filter((entry) => entry.isFile())
    .map((entry) => posix.relative(root, posix.join(entry.parentPath, entry.name)))
    .sort();
}

export function read(path: string): string {
  return readFileSync(posix.join(root, path), 'utf8');
}

/**
 * Everything a TypeScript source imports or re-exports, types included. Relies on this project's format:
 * statements start lines, and paths are plain strings.
 */
export function importsOf(source: string): Import[] {
  const imports: Import[] = [];
  const statement = /^(?:import|export)\s+(type\s)?(?:[\w$*{}\s,]*?\sfrom\s+)?'([^']+)'/gm;
  for (const [, type, from = ''] of source.matchAll(statement)) {
    imports.push({ from, kind: type === undefined ? 'static' : 'type' });
  }
  // Types by `import('…')` count as dynamic imports here.
  for (const [, from = ''] of source.matchAll(/\bimport\(\s*'([^']+)'/g)) {
    imports.push({ from, kind: 'dynamic' });
  }
  return imports;
}

/** The project's files that a file imports, as paths from the root. */
export function importedFiles(path: string, source = read(path)): string[] {
  return importsOf(source)
    .filter(({ from }) => from.startsWith('.'))
    .map(({ from }) => posix.join(posix.dirname(path), from));
}

/** Names of the packages a source imports; Node's own modules with `node:`. */
export function importedPackages(source: string): string[] {
  return importsOf(source)
    .filter(({ from }) => !from.startsWith('.'))
    .map(({ from }) => /^(node:.+|@[^/]+\/[^/]+|[^/]+)/.exec(from)?.[1] ?? from);
}

/**
 * Which of these globals (`process`, `Math.random`) a TypeScript source uses, not counting comments, strings,
 * and properties or variables of the same name.
 */
export function globalsIn(source: string, names: readonly string[]): string[] {
  const marks = new Map(names.map((name, index) => [name, `__used_global_${index}`]));
  const { code } = transformSync('source.ts', source, { define: Object.fromEntries(marks) });
  return names.filter((name) => code.includes(marks.get(name) ?? name));
}

/** What a file says, to be found once for all commands that use it. */
interface Told {
  /** Files of lib that it imports. */
  readonly imported: readonly string[];
  readonly calls: readonly string[];
}

const told = new Map<string, Told>();

function toldBy(path: string): Told {
  const known = told.get(path);
  if (known !== undefined) return known;
  const source = read(path);
  // Some send requests by hand, as bulk does with prepared bodies.
  const calls = source.matchAll(
    /\bcall(?:Passed\(\s*\w+,|\()\s*'([\w.]+)'|const \w+ = operations\['([\w.]+)'\]/g,
  );
  const found = {
    imported: importedFiles(path, source).filter((one) =>
      /^src\/lib\/(?!json-schemas\/)/.test(one),
    ),
    calls: [...calls].map(([, called = '', sent = '']) => called || sent),
  };
  told.set(path, found);
  return found;
}

/**
 * Operations called by these files, or by files of lib that they import, directly or not. The schemas of what
 * commands print are data, and call nothing.
 */
export function callsIn(paths: readonly string[]): Set<string> {
  const seen = new Set<string>(paths);
  for (const path of seen) for (const imported of toldBy(path).imported) seen.add(imported);
  return new Set([...seen].flatMap((path) => toldBy(path).calls));
}
