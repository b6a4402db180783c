import { escapeHtml } from '../../merge.ts';
import { defineCheck, warns } from '../check.ts';
import { quoted } from '../quoted.ts';

/** What means something else in the query of a URL, such as `+`, which is a space there. */
const changing = /[+&#]|%(?![\da-f]{2})/i;

/** A URL up to the value of a field of its query. */
const upToValue = /https?:\/\/[^\s"'<>?]{1,300}\?[^"'<>]{0,300}$/i;

export const linkValue = defineCheck({
  code: 'link-value',
  severity: 'warning',
  meaning: 'a value in the query of a link that means something else there',
  doors: warns,
  title: () => 'In a link, +, &, # and % of a value mean something else:',
  find({ html, text = '', values, literal = false }, report) {
    if (literal || values === undefined) return;
    const where = html ? 'html' : 'text';
    const written = html || text;
    for (const [name, value] of Object.entries(values)) {
      if (typeof value !== 'string' || value.length > 1000 || !changing.test(value)) continue;
      const inPart = `=${html ? escapeHtml(value) : value}`;
      const at = placeInQuery(written, inPart);
      if (at === -1) continue;
      const item = `${quoted(value)}; write {{ ${name} | url_encode }}`;
      const message = `In a link, this means something else: ${item}.`;
      report({ where, at, item, message, key: value, isLikely: true });
    }
  },
});

function placeInQuery(text: string, value: string): number {
  for (let at = text.indexOf(value); at !== -1; at = text.indexOf(value, at + value.length)) {
    if (upToValue.test(text.slice(Math.max(0, at - 600), at))) return at + 1;
  }
  return -1;
}
