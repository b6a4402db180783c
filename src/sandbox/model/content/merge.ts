/** The value of a placeholder: empty or null if it has none, undefined if there is no such name. */
export type Lookup = (name: string) => string | null | undefined;

/** `{{name}}`, or `{{name, fallback=text}}` with a text for a missing value. */
const placeholder = /\{\{\s*([\w.-]+)\s*(?:,\s*fallback=([^{}]*))?\}\}/g;

/**
 * Fills the placeholders in `source`. One without a value gets its fallback, else nothing; one
 * whose name is not known and that has no fallback stays as written, so that a misspelt name
 * shows. `encode` is applied to values, not to fallbacks, and what a value contains is not filled
 * in again.
 */
export function merge(source: string, lookup: Lookup, encode: (value: string) => string): string {
  return source.replace(placeholder, (whole: string, name: string, fallback?: string) => {
    const value = lookup(name);
    if (value) return encode(value);
    return fallback ?? (value === undefined ? whole : '');
  });
}

/** Looks up values by exactly their names. */
export function byName(values: Readonly<Record<string, string>>): Lookup {
  const known = new Map(Object.entries(values));
  return (name) => known.get(name);
}

/**
 * Looks up what is known of a contact as campaigns do: in any case, and with `contact.` before the
 * name or without. Of values whose names differ only in case the last one counts.
 */
export function ofContact(values: Iterable<readonly [string, string | null]>): Lookup {
  const known = new Map<string, string | null>();
  for (const [name, value] of values) known.set(name.toLowerCase(), value);
  return (name) => {
    const plain = name.toLowerCase();
    const value = known.get(plain);
    return value === undefined ? known.get(plain.replace(/^contact\./, '')) : value;
  };
}

/** `text` as a header such as the subject can hold it: on one line. */
export function onOneLine(text: string): string {
  return text.replace(/[\r\n]+/g, ' ');
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** `text` as it must stand in HTML, attributes included. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}
