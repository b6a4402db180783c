import { anyForeignTag, foreignTagsIn } from '../../foreign-tags.ts';
import { defineCheck, stopsOnceSent } from '../check.ts';
import { type TextPart, textsOf } from '../message.ts';
import { quoted } from '../quoted.ts';

export const foreignTag = defineCheck({
  code: 'foreign-tag',
  severity: 'error',
  meaning: 'a placeholder of another service or program, which is sent literally',
  doors: stopsOnceSent,
  title: ({ isOne, isLikely }) =>
    isLikely
      ? 'This looks like a placeholder of another service or program, and is sent as it is written:'
      : `Nothing fills in ${isOne ? 'this placeholder' : 'these placeholders'} of another service:`,
  find(message, report) {
    if (message.literal === true) return;
    // A text is usually generated from the HTML and repeats its placeholders.
    const inHtml = new Set(message.html?.match(anyForeignTag) ?? []);
    const { writtenBody = '' } = message;
    const ofBody = writtenBody === '' ? [] : foreignTagsIn(writtenBody, 'text');
    const all = [
      ...ofBody.map(({ at, ...one }) => ({ ...one, where: 'html' as const, atWritten: at })),
      ...textsOf(message).flatMap(([where, text]) =>
        foreignTagsIn(text, where === 'html' ? 'html' : 'text')
          .filter(({ written }) => !(where === 'text' && inHtml.has(written)))
          .filter(({ written }) => !(isOfBody(where) && writtenBody.includes(written)))
          .map((one) => ({ ...one, where })),
      ),
    ];
    for (const { written, isCertain, ...place } of all) {
      const isLikely =
        !isCertain || message.isData?.(written, place.where) || message.isOfOthers?.(place.where);
      report({
        ...{ ...place, item: written, isLikely },
        message: `${quoted(written)} ${isCertain ? 'is' : 'looks like'} a placeholder of another service. It is sent literally.`,
        severity: isLikely ? 'warning' : undefined,
      });
    }
  },
});

function isOfBody(where: TextPart): boolean {
  return where === 'html' || where === 'text';
}
