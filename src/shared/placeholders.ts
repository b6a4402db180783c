/** A placeholder or a tag of a template language, as it is written, and its offset. */
export interface Placeholder {
  readonly written: string;
  readonly at: number;
}

/**
 * `{{ name }}`, `{{ name }` with a brace too few, `{% tag %}`, and `{{name}}` as editors encode it in a link. Bounded,
 * so that a text full of `{{` does not take longer.
 */
export const anyPlaceholder =
  /\{\{[^{}]{0,200}\}\}|\{\{[ \t]{0,9}[A-Za-z_][\w.-]{0,99}[ \t]{0,9}\}|\{%[^%{}]{0,200}%\}|%7[Bb]%7[Bb](?:%20|[\w.-]){1,99}%7[Dd]%7[Dd]/g;

/** Placeholders in a text, except in code, which readers are meant to see as it is written. */
export function placeholdersIn(text: string, format: 'html' | 'text'): readonly Placeholder[] {
  return outsideCode(text, format, anyPlaceholder);
}

/** All matches of a global pattern that are not in code. */
export function outsideCode(
  text: string,
  format: 'html' | 'text',
  pattern: RegExp,
): readonly Placeholder[] {
  const found = [...text.matchAll(pattern)];
  if (found.length === 0) return [];
  const code = (format === 'html' ? codeOfHtml : codeOfText)(text);
  let next = 0;
  return found.flatMap(({ 0: written, index: at }) => {
    while ((code[next]?.[1] ?? Number.POSITIVE_INFINITY) <= at) next++;
    return (code[next]?.[0] ?? Number.POSITIVE_INFINITY) <= at ? [] : [{ written, at }];
  });
}

type Range = readonly [from: number, to: number];

/** Code in elements, and what programs do not show. Outlook shows what is in a comment with a condition. */
const codeStart = /<!--(?!\s*\[if)|<(pre|code|kbd|samp|style|script|textarea|title)(?=[\s/>])/gi;

function codeOfHtml(html: string): readonly Range[] {
  const ranges: Range[] = [];
  /** Elements whose last end tag is passed, so that none is looked for again. */
  const unclosed = new Set<string>();
  let end = 0;
  for (const { index: from, 1: name } of html.matchAll(codeStart)) {
    const close = name === undefined ? '-->' : `</${name.toLowerCase()}`;
    if (from < end || unclosed.has(close)) continue;
    const to = indexOfClose(html, close, from);
    if (to === -1) {
      unclosed.add(close);
      continue;
    }
    ranges.push([from, to]);
    end = to;
  }
  return ranges;
}

function indexOfClose(html: string, close: string, from: number): number {
  const end = new RegExp(close, 'gi');
  end.lastIndex = from;
  return end.exec(html)?.index ?? -1;
}

/** Blocks between fences, and spans in backticks on one line, as in Markdown. */
const codeInText =
  /^[ \t]*(`{3,}|~{3,})[^\n]*\n[\s\S]*?^[ \t]*\1[`~]*[ \t]*$|(?<!`)(`{1,2})(?!`)[^\n]{0,500}?(?<!`)\2(?!`)/gm;

function codeOfText(text: string): readonly Range[] {
  return [...text.matchAll(codeInText)].map(({ 0: code, index }) => [index, index + code.length]);
}

const field = /^\{\{\s*([\p{L}\p{N}\p{M}_.-]+)\s*(?:,\s*fallback=([^{}]*))?\}\}$/u;

/** The name in a placeholder that the service can fill, and its fallback; undefined for Liquid and the like. */
export function fieldIn(
  written: string,
): { readonly name: string; readonly fallback: string | undefined } | undefined {
  const [, name, fallback] = field.exec(written) ?? [];
  return name === undefined ? undefined : { name, fallback };
}

/** What campaigns fill in for the contacts of every book. */
export const fieldsOfContacts = ['firstName', 'lastName', 'email', 'usesend_unsubscribe_url'];

const ofEveryContact = new Set(
  [...fieldsOfContacts, 'unsend_unsubscribe_url'].map((name) => name.toLowerCase()),
);

/**
 * The variable of a contact book that a campaign needs for a placeholder, in lower case; '' if it needs none,
 * undefined if campaigns cannot fill it.
 */
export function bookVariableIn(written: string): string | undefined {
  const name = fieldIn(written)
    ?.name.toLowerCase()
    .replace(/^contact\./, '');
  return name === undefined || !ofEveryContact.has(name) ? name : '';
}

/** What no contact lacks. */
const neverBlank = /^(?:contact\.)?(?:email|(?:usesend|unsend)_unsubscribe_url)$/i;

/** The name in a placeholder that is empty for a contact without such a value; undefined if it has a fallback. */
export function blankNameIn(written: string): string | undefined {
  const { name, fallback } = fieldIn(written) ?? {};
  return name === undefined || fallback !== undefined || neverBlank.test(name) ? undefined : name;
}

/** Whether HTML or Markdown has a link to unsubscribe, under either name that services accept. */
export function canUnsubscribe(text: string): boolean {
  return /\{\{\s*(?:usesend|unsend)_unsubscribe_url\s*\}\}/.test(text);
}
