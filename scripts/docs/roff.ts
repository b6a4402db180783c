/** Text for a page of man(7). */

/** Escapes a text, so that no character is special and its start is no request. */
export function roff(text: string): string {
  return text
    .replaceAll('\\', '\\(rs')
    .replaceAll('-', '\\-')
    .replaceAll("'", '\\(aq')
    .replaceAll('`', '\\(ga')
    .replaceAll('^', '\\(ha')
    .replaceAll('~', '\\(ti')
    .replaceAll('"', '\\(dq')
    .replace(/\P{ASCII}/gu, (character) => `\\[u${hex(character)}]`)
    .replace(/^\./gm, '\\&.');
}

function hex(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
}

export function bold(text: string): string {
  return `\\fB${roff(text)}\\fR`;
}

export function italic(text: string): string {
  return `\\fI${roff(text)}\\fR`;
}

/** A flag or an argument: literal text in bold, placeholders in italics. */
export function shownTerm(term: string): string {
  return term
    .split(/(<[^>]*>|\[[^\]]*\])/)
    .map((part) => {
      const [, open = '', value = ''] = /^(<|\[=?)(.*).$/.exec(part) ?? [];
      if (open === '') return part.replace(/[^\s,]+/g, bold);
      return open === '<' ? italic(value) : `${roff(open)}${italic(value)}]`;
    })
    .join('');
}
