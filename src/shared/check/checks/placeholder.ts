import { placeholdersInDocument } from '../../editor-document.ts';
import { anyPlaceholder, bookVariableIn, fieldIn, placeholdersIn } from '../../placeholders.ts';
import { defineCheck, stopsOnceSent } from '../check.ts';
import { envelopeTexts, type MessageContent, type TextPart, textsOf } from '../message.ts';
import { quoted } from '../quoted.ts';

export const placeholder = defineCheck({
  code: 'placeholder',
  severity: 'error',
  meaning: 'a placeholder that is sent literally',
  doors: stopsOnceSent,
  title: ({ isOne, kind, isLikely }) => {
    const these = isOne ? 'this placeholder' : 'these placeholders';
    if (isLikely) return `Nothing fills in ${these}, which may be meant as written:`;
    if (kind === 'campaign') return `The campaign does not fill in ${these}:`;
    if (kind !== 'email') return `The service does not fill in ${these}:`;
    return isOne ? 'This placeholder has no value:' : 'These placeholders have no value:';
  },
  find(message, report) {
    if (message.literal === true) return;
    const fills = message.fills ?? fillsByKind[message.kind];
    // A text is usually generated from the HTML and repeats its placeholders.
    const inHtml = new Set((message.html?.match(anyPlaceholder) ?? []).map(decoded));
    for (const [where, text] of textsOf(message)) {
      for (const { written, at } of placeholdersOf(where, text)) {
        if (where === 'text' && inHtml.has(written)) continue;
        if (message.meant?.includes(written)) continue;
        const isLikely = message.isData?.(written, where) || message.isOfOthers?.(where);
        const filled = isLikely !== true && fills(written, where);
        if (filled === true) continue;
        const item = written.replace(/\s+/g, ' ');
        report(
          filled === 'maybe'
            ? {
                ...{ where, at, item, severity: 'info' },
                message: `${quoted(written)} is filled in only if the contact book has this variable.`,
              }
            : {
                ...{ where, at, item, isLikely, severity: isLikely ? 'warning' : undefined },
                message: `${quoted(written)} is sent literally.`,
              },
        );
      }
    }
    for (const [where, text] of envelopeTexts(message)) {
      for (const { written } of text.includes('{') ? placeholdersIn(text, 'text') : []) {
        report({ where, item: written, message: `${quoted(written)} is sent literally.` });
      }
    }
  },
});

/** A placeholder as readers see it, with the characters that code in HTML escapes. */
function decoded(written: string): string {
  return written
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&(?:quot|#34);/g, '"')
    .replace(/&(?:#39|apos);/g, "'")
    .replace(/&amp;/g, '&');
}

/** The placeholders in a part of a message, except in code. */
export function placeholdersOf(where: TextPart, text: string) {
  if (where !== 'content') return placeholdersIn(text, where === 'html' ? 'html' : 'text');
  return placeholdersInDocument(text).map((written) => ({ written, at: undefined }));
}

const fillsByKind: Readonly<Record<MessageContent['kind'], NonNullable<MessageContent['fills']>>> =
  {
    email: () => false,
    // The variables of the book are not known here.
    campaign: (written, where) => {
      const variable = where === 'preview' ? undefined : bookVariableIn(written);
      return variable === '' || (variable === undefined ? false : 'maybe');
    },
    template: (written) => fieldIn(written) !== undefined,
    confirmation: (written) => fieldIn(written) !== undefined,
  };
