import { defineCheck, stops } from '../check.ts';
import { type EmailPart, envelopeTexts, type MessageContent, textsOf } from '../message.ts';

/**
 * U+FFFD, which a program writes in place of characters that it could not read, or what becomes of € and ’ of Excel if
 * they are read as latin1: control characters that nobody sees.
 */
const lost = /[\ufffd\u0080-\u009f]/;

/** Characters around it that a message shows. */
const around = 20;

export const charactersLost = defineCheck({
  code: 'characters-lost',
  severity: 'error',
  meaning: 'characters that another program has lost',
  doors: stops,
  title: () => 'Characters were lost here and replaced by others:',
  advice: 'Another program read the text in the wrong charset: use an undamaged copy.',
  find(message, report) {
    if (message.literal === true) return;
    let isInHtml = false;
    for (const [where, text] of allTexts(message)) {
      const at = text.search(lost);
      if (where === 'html') isInHtml = at !== -1;
      // A text is usually generated from the HTML, which comes before it.
      if (at === -1 || (where === 'text' && isInHtml)) continue;
      const sign = text[at] === '\ufffd' ? 'U+FFFD' : 'an invisible control character';
      const item = JSON.stringify(excerpt(text, at));
      report({
        ...{ where, at, item: `${item} has ${sign}`, key: '' },
        message: `Characters are lost: ${sign} stands for them in ${item}.`,
      });
    }
  },
});

/** All that recipients see of a message, and what is filled in. */
export function allTexts(message: MessageContent): readonly (readonly [EmailPart, string])[] {
  const { name = '', attachments = [], variables = {} } = message;
  return [
    ...textsOf(message),
    ...envelopeTexts(message),
    ['name', name],
    ...attachments.map(({ filename }) => ['attachments', filename] as const),
    ...textsIn(variables).map((text) => ['variables', text] as const),
  ];
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** The text around a place. */
export function excerpt(text: string, at: number): string {
  // Without the lines and the tags around it.
  const before = text.slice(Math.max(0, at - around), at).replace(/^.*[\n>]/s, '');
  const after = text.slice(at, at + around).replace(/[\r\n<].*$/s, '');
  return before + after;
}
