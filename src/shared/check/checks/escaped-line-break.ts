import { type AtDoors, defineCheck } from '../check.ts';
import { textsOf } from '../message.ts';

const doors: AtDoors = {
  ...{ now: 'warning', later: 'warning', draft: 'warning', stored: 'warning', test: 'warning' },
};

/** Most shells leave it as it is. In the path of a file, a name follows it. */
const escaped = /\\n(?:\\n|[A-Z\s]|$)/;

export const escapedLineBreak = defineCheck({
  code: 'escaped-line-break',
  severity: 'warning',
  meaning: 'the characters \\n, which are no line break',
  doors,
  title: () => 'The characters \\n are no line break, and are sent as they are:',
  advice: 'For lines, use --text-file.',
  find(message, report) {
    for (const [where, text] of textsOf(message)) {
      const isPlain = where === 'subject' || where === 'text';
      const at = isPlain && !/\b[A-Za-z]:\\/.test(text) ? text.search(escaped) : -1;
      if (at === -1) continue;
      const item = JSON.stringify(text.slice(Math.max(0, at - 20), at + 20));
      report({ where, at, item, message: 'The characters \\n are no line break.' });
    }
  },
});
