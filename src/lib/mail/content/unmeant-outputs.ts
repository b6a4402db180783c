import { Drop } from 'liquidjs';
import { UsageError } from '../../base/errors.ts';

/** An output of a template, as it is written, and what stands before its filters. */
interface Output {
  readonly written: string;
  readonly value: string;
}

/** What Liquid does not read as a template. */
const unread = /\{%-?\s*(raw|comment)\s*-?%\}.*?\{%-?\s*end\1\s*-?%\}/gs;

const quoted = /"[^"]*"|'[^']*'/g;

function outputsIn(source: string): readonly Output[] {
  return [...source.replace(unread, '').matchAll(/\{\{-?(.*?)-?\}\}/gs)].map(
    ([written, inner = '']) => ({ written, value: inner.trim() }),
  );
}

/** Throws a `UsageError` for an output that compares or chooses: Liquid writes `true` or `false` for it. */
export function refuseConditions(flag: string, source: string): void {
  const isCondition = ({ value }: Output) =>
    /\s(?:or|and|contains)\s|[=!]=|[<>]/.test(value.replace(quoted, '""').split('|')[0] ?? '');
  const found = outputsIn(source).find(isCondition);
  if (found === undefined) return;
  const [, name = 'name', other = 'friend'] =
    /^([\w.-]+)\s+or\s+["'](.*?)["']$/.exec(found.value) ?? [];
  throw new UsageError(`${flag}: ${found.written} writes true or false`, {
    hint: `For another value if there is none: {{ ${name} | default: ${JSON.stringify(other)} }}. For a condition: {% if … %}`,
  });
}

/** Throws for a value that Liquid writes as nobody would: none, a list, an object, or no number. */
export function refuseUnmeant(value: unknown): void {
  const kind =
    value === undefined || value === null
      ? 'nothing, for it has no value; if that is meant: {{ … | default: "" }}'
      : Array.isArray(value)
        ? 'a list; write {{ … | join: ", " }}, or a {% for %} around it'
        : value instanceof Object && !(value instanceof Drop)
          ? 'an object; name one of its fields, as in {{ … .name }}'
          : typeof value === 'number' && !Number.isFinite(value)
            ? String(value)
            : undefined;
  if (kind !== undefined) throw new Error(`writes ${kind}`);
}

/** The texts that a template writes as they are, by their outputs: `{{ "name" }}`. */
export function constantsIn(source: string): ReadonlyMap<string, string> {
  return new Map(
    outputsIn(source).flatMap(({ written, value }) => {
      const constant = /^(["'])([^"']+)\1\s*(?:\||$)/.exec(value)?.[2];
      return constant === undefined ? [] : [[constant, written]];
    }),
  );
}
