import { attempt } from '../../../shared/attempt.ts';
import { UsageError } from '../../base/errors.ts';
import { define } from '../output/fields.ts';

/**
 * Sets fields of an example, given as `data.to=ana@example.org`, and returns a new object. A value gets the type of
 * the one it replaces: a text stays text, an array gets one element unless the value is a JSON array, anything else
 * is JSON if it can be read as that.
 */
export function setFields(example: object, words: readonly string[]): Record<string, unknown> {
  // Examples are plain JSON.
  const root = structuredClone(example) as Record<string, unknown>;
  for (const word of words) setField(root, word);
  return root;
}

function setField(root: Record<string, unknown>, word: string): void {
  const at = word.indexOf('=');
  const path = word.slice(0, Math.max(at, 0)).split('.');
  const name = path.pop() ?? '';
  if (name === '' || path.includes('')) {
    throw new UsageError(`--set: ${JSON.stringify(word)} is not name=value`, {
      hint: 'For example: --set data.subject=Hi',
    });
  }
  let place = root;
  for (const part of path) {
    const inner = (Object.hasOwn(place, part) ? place[part] : undefined) ?? {};
    if (typeof inner !== 'object' || Array.isArray(inner)) {
      throw new UsageError(`--set: ${part} of ${JSON.stringify(word)} has no fields`);
    }
    define(place, part, inner);
    // Checked above.
    place = inner as Record<string, unknown>;
  }
  const old = Object.hasOwn(place, name) ? place[name] : undefined;
  define(place, name, valueLike(old, word.slice(at + 1)));
}

function valueLike(old: unknown, text: string): unknown {
  if (typeof old === 'string') return text;
  const value = attempt(() => JSON.parse(text), text);
  return Array.isArray(old) && !Array.isArray(value) ? [text] : value;
}
