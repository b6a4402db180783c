import { UsageError } from '../../base/errors.ts';
import type { BodySource } from './source.ts';

/**
 * Throws a `UsageError` for the text "true" or "false" in a prop that the file of a component names, or may hand on: to
 * a program, both are true. `values` are texts only because cells and flags cannot be anything else; `asJson` is how to
 * give them as JSON.
 */
export function refuseTextProps(
  { format, body, flag }: Pick<BodySource, 'format' | 'body' | 'flag'>,
  values: Readonly<Record<string, unknown>>,
  asJson: string,
): void {
  if (format !== 'react') return;
  const isProp = propsIn(body);
  for (const [name, value] of Object.entries(values)) {
    if (typeof value !== 'string' || !/^\s*(?:true|false)\s*$/i.test(value)) continue;
    if (!isProp(name)) continue;
    const json = `${JSON.stringify(name)}: ${value.trim().toLowerCase()}`;
    throw new UsageError(
      `${flag}: ${JSON.stringify(name)} is the text ${JSON.stringify(value)}, and a component takes any text for true`,
      { hint: `${asJson}: ${json}. There, a text has quotes.` },
    );
  }
}

/** Tells the props that the file of a component names, or may hand on. */
export function propsIn(body: string): (name: string) => boolean {
  const names = body.includes('...') ? undefined : new Set(body.match(/[\p{L}\p{N}_$-]+/gu));
  return (name) => names?.has(name) !== false;
}
