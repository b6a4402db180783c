import { anyForeignTag, foreignTagsIn } from '../../foreign-tags.ts';
import { anyPlaceholder, bookVariableIn, fieldIn, placeholdersIn } from '../../placeholders.ts';
import type { CheckedEmail, EmailPart, Report } from '../finding.ts';
import { quoted } from '../quoted.ts';

/** Reports placeholders that nothing fills in before the email is sent. */
export function checkPlaceholders(email: CheckedEmail, report: Report): void {
  if (email.literal === true) return;
  const parts = [
    ['subject', email.subject],
    ['preview', email.previewText],
    ['html', email.html],
    ['text', email.text],
  ] as const satisfies readonly (readonly [EmailPart, string | undefined])[];
  // A text is usually generated from the HTML and repeats its placeholders.
  const inHtml = new Set(
    [anyPlaceholder, anyForeignTag].flatMap((pattern) => email.html?.match(pattern) ?? []),
  );
  for (const [where, text = ''] of parts) {
    const format = where === 'html' ? 'html' : 'text';
    const isNew = ({ written }: { readonly written: string }) =>
      where !== 'text' || !inHtml.has(written);
    for (const { written, at } of placeholdersIn(text, format).filter(isNew)) {
      const isCampaign = email.kind === 'campaign' && where !== 'preview';
      const variable = isCampaign ? bookVariableIn(written) : undefined;
      if (variable === '') continue;
      if (email.isTemplate === true && fieldIn(written) !== undefined) continue;
      report({
        code: 'placeholder',
        where,
        at,
        message: variable
          ? `${quoted(written)} is filled in only if the contact book has this variable.`
          : `${quoted(written)} is sent literally.`,
        severity: variable ? 'info' : undefined,
      });
    }
    for (const { written, at, isCertain } of foreignTagsIn(text, format).filter(isNew)) {
      report({
        code: 'placeholder',
        where,
        at,
        message: `${quoted(written)} ${isCertain ? 'is' : 'looks like'} a placeholder of another service. It is sent literally.`,
        severity: isCertain ? undefined : 'warning',
      });
    }
  }
}
