import { escapeHtml } from '../../merge.ts';
import { defineCheck, warns } from '../check.ts';
import { quoted } from '../quoted.ts';

/** What means something else in the query of a URL, such as `+`, which is a space there. */
const inQuery = /[+&#]|%(?![\da-f]{2})/i;

/** In a part of its path, with more of the path after it; a value at the end may be meant as a path. */
const inPath = /[/?#\s]|%(?![\da-f]{2})/i;
const atEnd = /\s|%(?![\da-f]{2})/i;

/** A URL up to the value of a field of its query. */
const upToValue = /https?:\/\/[^\s"'<>?]{1,300}\?[^"'<>]{0,300}=$/i;

/** A URL up to a part of its path. */
const upToPart = /https?:\/\/[^\s"'<>?#/]{1,300}\/(?:[^\s"'<>?#]{0,300}\/)?$/i;

export const linkValue = defineCheck({
  code: 'link-value',
  severity: 'warning',
  meaning: 'a value in a link that means something else there',
  doors: warns,
  title: () => 'In a link, spaces and characters such as + & # % / mean something else:',
  find({ html, text = '', values, literal = false }, report) {
    if (literal || values === undefined) return;
    const where = html ? 'html' : 'text';
    const written = html || text;
    for (const [name, value] of Object.entries(values)) {
      if (typeof value !== 'string' || value.length > 1000) continue;
      if (!inQuery.test(value) && !inPath.test(value)) continue;
      const shown = html ? escapeHtml(value) : value;
      const ofQuery = inQuery.test(value) ? placeOf(written, `=${shown}`, upToValue) : -1;
      const at = ofQuery === -1 ? placeInPath(written, shown, value) : ofQuery;
      if (at === -1) continue;
      // In a path, + is no space.
      const spaces = ofQuery === -1 && /\s/.test(value) ? ' | replace: "+", "%20"' : '';
      const item = `${quoted(value)}; write {{ ${name} | url_encode${spaces} }}`;
      const message = `In a link, this value means something else: ${item}.`;
      report({ where, at, item, message, key: value, isLikely: true });
    }
  },
});

/** Where a value with the sign before it stands in a URL. */
function placeOf(text: string, value: string, upTo: RegExp, isWrong = (_end: number) => true) {
  for (let at = text.indexOf(value); at !== -1; at = text.indexOf(value, at + value.length)) {
    const isIn = upTo.test(text.slice(Math.max(0, at - 600), at + 1));
    if (isIn && isWrong(at + value.length)) return at + 1;
  }
  return -1;
}

function placeInPath(text: string, shown: string, value: string): number {
  if (!inPath.test(value)) return -1;
  return placeOf(text, `/${shown}`, upToPart, (end) => text[end] === '/' || atEnd.test(value));
}
