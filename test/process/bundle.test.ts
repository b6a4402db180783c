import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { root } from '../support/process.ts';

const dist = mkdtempSync(join(tmpdir(), 'mailer-bundle-'));
/** What is in the bundle, as paths from the root of the checkout. */
let sources: readonly string[];

beforeAll(() => {
  execFileSync(process.execPath, [join(root, 'scripts', 'build.js')], {
    env: { ...process.env, OUTDIR: dist },
  });
  // Written by the build, in this shape.
  const meta = JSON.parse(readFileSync(join(dist, 'meta.json'), 'utf8')) as Record<
    string,
    { readonly sources: readonly string[] }
  >;
  sources = Object.values(meta).flatMap((file) => file.sources);
});

afterAll(() => {
  rmSync(dist, { recursive: true, force: true });
});

/** Name and version of the package that a source is of; undefined for the program's own. */
function packageOf(source: string): string | undefined {
  const [, name] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(source) ?? [];
  let directory = dirname(join(root, source));
  while (name !== undefined && directory !== dirname(directory)) {
    try {
      // Written by npm, which has checked its shape.
      const found = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as {
        name?: string;
        version?: string;
      };
      if (found.name === name) return `${name} ${found.version}`;
    } catch {
      // There is none here.
    }
    directory = dirname(directory);
  }
  return undefined;
}

test('the licence of every package in it comes along', () => {
  const packages = new Set(sources.map(packageOf).filter((one) => one !== undefined));
  expect(packages.size).toBeGreaterThan(40);
  const parts = readFileSync(join(dist, 'LICENSES.txt'), 'utf8').split(`\n${'-'.repeat(80)}\n\n`);
  const licences = new Map(
    parts.map((part) => [/^(\S+ \S+) \([\w. -]+\)\n\n/.exec(part)?.[1], part]),
  );
  expect([...licences.keys()].sort()).toEqual([...packages].sort());
  for (const text of licences.values()) {
    expect(text).toMatch(/permission|redistribution|licensed under/i);
    expect(text).toMatch(/copyright/i);
  }
});

test('there are no source maps, nor a word of where it was built', () => {
  for (const name of readdirSync(dist)) {
    if (name === 'meta.json' || name === 'completions') continue;
    expect(name).toMatch(/\.(cjs|txt)$/);
    const text = readFileSync(join(dist, name), 'utf8');
    expect(text).not.toContain('sourceMappingURL=');
    expect({ name, found: text.includes(`"${root}`) || text.includes(`'${root}`) }).toEqual({
      name,
      found: false,
    });
  }
});
