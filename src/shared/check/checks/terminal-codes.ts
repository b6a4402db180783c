import { defineCheck, warnsOfAll } from '../check.ts';
import { textsOf } from '../message.ts';

/** What colours a text in a terminal, such as the output of a program. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: ESC begins each of them.
const code = /\u001b(?:\[[\d;?]{0,20}[A-Za-z]|\]|\()/;

export const terminalCodes = defineCheck({
  code: 'terminal-codes',
  severity: 'warning',
  meaning: 'codes that colour text in a terminal, which readers see as characters',
  doors: warnsOfAll,
  title: () => 'Readers see these colour codes of a terminal as characters:',
  advice: 'Have the program write no colours, as with NO_COLOR=1.',
  find(message, report) {
    for (const [where, text] of textsOf(message)) {
      const found = code.exec(text);
      if (!found) continue;
      const item = JSON.stringify(text.slice(found.index, found.index + 30).replace(/\n.*/s, ''));
      const sentence = `Readers see the colour codes of a terminal as characters: ${item}.`;
      report({ where, at: found.index, item, key: '', message: sentence, isLikely: true });
    }
  },
});
