/** The value of a placeholder: empty or null if it is missing, undefined for an unknown name. */
export type Lookup = (name: string) => string | null | undefined;

/** `{{name}}`, or `{{name, fallback=text}}` with a text for a missing value. */
const placeholder = /\{\{\s*([\w.-]+)\s*(?:,\s*fallback=([^{}]*))?\}\}/g;

/**
 * Fills the placeholders in `source` with the value, the fallback or nothing. An unknown name without a
 * fallback stays as written, which reveals misspellings. Values are encoded, fallbacks are not. Placeholders
 * in values are not filled.
 */
export function merge(source: string, lookup: Lookup, encode: (value: string) => string): string {
  return source.replace(placeholder, (whole: string, name: string, fallback?: string) => {
    const value = lookup(name);
    if (value) return encode(value);
    return fallback ?? (value === undefined ? whole : '');
  });
}

export function byName(values: Readonly<Record<string, string>>): Lookup {
  const known = new Map(Object.entries(values));
  return (name) => known.get(name);
}

/** A contact with its placeholders' values. */
interface Contact {
  readonly email: string;
  readonly firstName?: string | null | undefined;
  readonly lastName?: string | null | undefined;
  readonly properties?: Readonly<Record<string, unknown>> | null | undefined;
}

/**
 * Looks up values as campaigns do: the properties that the book declares as variables, and those that all contacts
 * have, regardless of case, with or without `contact.` before the name. If names differ only in case, the last one
 * counts.
 */
export function ofContact(variables: readonly string[], contact: Contact): Lookup {
  const { email, firstName = null, lastName = null, properties } = contact;
  const known = new Map<string, string | null>(variables.map((name) => [name.toLowerCase(), null]));
  for (const [name, value] of Object.entries(properties ?? {})) {
    const plain = name.toLowerCase();
    if (known.has(plain)) known.set(plain, value == null ? null : String(value));
  }
  known.set('email', email).set('firstname', firstName).set('lastname', lastName);
  return (name) => {
    const plain = name.toLowerCase();
    const value = known.get(plain);
    return value === undefined ? known.get(plain.replace(/^contact\./, '')) : value;
  };
}

/** `text` without line breaks, for headers such as the subject. */
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

/** `text` escaped for HTML, attributes included. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}
