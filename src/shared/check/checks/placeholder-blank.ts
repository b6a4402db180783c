import { blankNameIn } from '../../placeholders.ts';
import { defineCheck } from '../check.ts';
import { textsOf } from '../message.ts';
import { quoted } from '../quoted.ts';
import { placeholdersOf } from './placeholder.ts';

export const placeholderBlank = defineCheck({
  code: 'placeholder-blank',
  severity: 'warning',
  meaning: 'a placeholder without a fallback that is empty for some contacts',
  doors: { now: 'error', later: 'error', draft: 'warning', test: 'warning' },
  title: ({ isOne }) =>
    `${isOne ? 'This placeholder is' : 'These placeholders are'} empty for some contacts:`,
  advice: 'Give it a fallback, such as {{firstName, fallback=there}}.',
  settle: 'To start the campaign anyway, add --allow-blank.',
  find(message, report) {
    if (message.blankFor === undefined) return;
    for (const [where, text] of textsOf(message)) {
      // Campaigns fill in nothing there.
      if (where === 'preview' || where === 'text') continue;
      for (const { written, at } of placeholdersOf(where, text)) {
        const name = blankNameIn(written);
        const people = name === undefined ? undefined : message.blankFor(name);
        if (people === undefined) continue;
        report({
          ...{ where, at, key: name, item: `{{${name}}} for ${people}` },
          message: `${quoted(`{{${name}}}`)} is empty for ${people}.`,
        });
      }
    }
  },
});
