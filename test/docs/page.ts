import { posix } from 'node:path';
import { describe } from 'vitest';
import { type Need, needing } from '../support/needs.ts';
import { root } from '../support/process.ts';
import { read } from '../support/sources.ts';

/** A fenced block. With the language `text`, it is the log of the recipe of the same name. */
export interface Block {
  readonly language: string;
  /** Empty if the block has no name. */
  readonly name: string;
  readonly text: string;
}

/** A page of recipes: blocks to copy, and their logs. */
export interface Page {
  /** The absolute path. */
  readonly path: string;
  readonly blocks: readonly Block[];
  /** Groups the tests of one block, which get its text. Skipped if a program is missing. */
  recipe(name: string, tests: (text: string) => void): void;
  /** How often `recipe` was called with each name. */
  readonly claims: ReadonlyMap<string, number>;
  /** Records what the recipe of this name printed. */
  logged(name: string, log: string): void;
  /** The recorded logs, by name. */
  readonly logs: ReadonlyMap<string, string>;
  /** The names of skipped recipes. */
  readonly leftOut: ReadonlySet<string>;
  /** The page with its logs replaced by the recorded ones. */
  withLogs(): string;
}

const fence = /^```(\S*)(?: (\S+))?\n([\s\S]*?)^```$/gm;

/**
 * Opens a page by its path from the root of the checkout. `optional` has programs that a machine may not have, by
 * their names.
 */
export function openPage(relative: string, optional: Readonly<Record<string, Need>> = {}): Page {
  const text = read(relative);
  const blocks = [...text.matchAll(fence)].map(([, language = '', name = '', text = '']) => ({
    language,
    name,
    text,
  }));
  const claims = new Map<string, number>();
  const logs = new Map<string, string>();
  const leftOut = new Set<string>();
  return {
    path: posix.join(root, relative),
    blocks,
    claims,
    logs,
    leftOut,
    recipe(name, tests) {
      claims.set(name, (claims.get(name) ?? 0) + 1);
      const block = blocks.find((one) => one.name === name && one.language !== 'text');
      if (block === undefined) throw new Error(`${relative} has no recipe ${name}`);
      const needs = Object.entries(optional)
        .filter(([program]) => block.text.includes(`${program} `))
        .map(([, need]) => need);
      if (needs.some(({ isMet }) => !isMet)) leftOut.add(name);
      describe(name, needing(...needs), () => tests(block.text));
    },
    logged: (name, log) => logs.set(name, withoutChance(log)),
    withLogs: () =>
      text.replace(fence, (block, language, name) => {
        const log = language === 'text' ? logs.get(name) : undefined;
        return log === undefined ? block : `\`\`\`text ${name}\n${log}\`\`\``;
      }),
  };
}

/** Replaces what differs at each run. */
function withoutChance(log: string): string {
  const known = new Map<string, string>();
  return log
    .replace(/\bc[a-z0-9]{24}\b/g, (id) => {
      const name = known.get(id) ?? `cmkf0y3b4000${known.size}08l4f2gh1q9z`;
      known.set(id, name);
      return name;
    })
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '6e0f2c1a-4d5b-4a3c-9e8f-7b6a5c4d3e2f')
    .replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:4100')
    .replace(/\b\d+(\.\d+)? s\b/g, '5 s')
    .replace(/\bseconds\t[\d.]+/g, 'seconds\t5')
    .replace(/\b20\d\d-\d\d-\d\dT[\d:]+Z/g, '2026-01-15T10:00:00Z')
    .replace(/\b20\d\d-\d\d-\d\dT[\d:]+\.\d+Z/g, '2026-01-15T10:00:00.000Z');
}
