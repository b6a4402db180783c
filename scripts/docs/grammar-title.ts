import type { Grammar } from '../../src/lib/command/command.ts';

/** The title of a grammar, such as `Faults: METHOD PATH …`, as the name and what follows. */
export function grammarTitle({ title }: Grammar): { readonly name: string; readonly rest: string } {
  const [, name = title, rest = ''] = /^([^:]+): (.*)$/.exec(title) ?? [];
  return { name, rest };
}
