/** The values that placeholders stand for, by name. */
export type MergeValues = Readonly<Record<string, string | null | undefined>>;

/** `{{name}}`, or `{{name,fallback=text}}` for when there is no value. */
const placeholder = /\{\{\s*([\w.-]+)\s*(?:,\s*fallback=([^{}]*))?\}\}/g;

/**
 * Fills the placeholders in `source`. One without a value gets its fallback; without that it is
 * left as it is, or with `drop` removed. `encode` is applied to values, not to fallbacks.
 */
export function merge(
  source: string,
  values: MergeValues,
  options: { readonly drop: boolean; readonly encode?: (value: string) => string },
): string {
  return source.replace(placeholder, (whole: string, name: string, fallback?: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value) return options.encode?.(value) ?? value;
    return fallback ?? (options.drop ? '' : whole);
  });
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
