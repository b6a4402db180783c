import type { Grammar } from '../../src/lib/command-line/command/command.ts';

/** Splits the title of a grammar, such as `Faults: METHOD PATH …`, into the name and the rest. */
export function grammarTitle({ title }: Pick<Grammar, 'title'>): {
  readonly name: string;
  readonly rest: string;
} {
  const [, name = title, rest = ''] = /^([^:]+): (.*)$/.exec(title) ?? [];
  return { name, rest };
}
