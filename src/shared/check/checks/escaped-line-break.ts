import { defineCheck, warns } from '../check.ts';
import { textsOf } from '../message.ts';

/** Most shells leave it as it is. In the path of a file, a name is before it, and another one follows. */
const escaped = /\\n(?:\\n|[A-Z\s]|$)|[.,:;!?)]\\n/;

export const escapedLineBreak = defineCheck({
  code: 'escaped-line-break',
  severity: 'warning',
  meaning: 'the characters \\n, which are no line break',
  doors: warns,
  title: () => 'The characters \\n are no line break, and are sent as they are:',
  advice: 'For lines, use --text-file.',
  find(message, report) {
    for (const [where, text] of textsOf(message)) {
      const isPlain = where === 'subject' || where === 'text';
      const at = isPlain && !/\b[A-Za-z]:\\/.test(text) ? text.search(escaped) : -1;
      if (at === -1) continue;
      // Its backslash is not doubled, as JSON would.
      const item = `"${text.slice(Math.max(0, at - 20), at + 20)}"`;
      report({ where, at, item, message: 'The characters \\n are no line break.' });
    }
  },
});
