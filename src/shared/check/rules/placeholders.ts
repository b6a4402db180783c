import {
  anyPlaceholder,
  bookVariableIn,
  fieldIn,
  outsideCode,
  placeholdersIn,
} from '../../placeholders.ts';
import type { CheckedEmail, EmailPart, Report } from '../finding.ts';
import { quoted } from '../quoted.ts';

/**
 * Merge tags of other services and programs. What Word puts between « and » is told from quoted words by the
 * names that it uses.
 */
const foreign = new RegExp(
  [
    /\*\|[\w:.]{1,60}\|\*/,
    /%[A-Za-z_]\w{0,60}\.[\w.]{1,60}%/,
    /%%\w{1,60}%%/,
    /\[\[[A-Za-z_][\w. -]{0,60}\]\]/,
    /\$\{[A-Za-z_][\w.]{0,60}\}/,
    /\{\$[A-Za-z_][\w.]{0,60}\}/,
    /(?:<|&lt;)%[^%<>]{0,200}%(?:>|&gt;)/,
    /(?:«|&laquo;)(?:\w{1,40}_\w{1,40}|[a-z]{1,40}[A-Z]\w{0,40}|(?:[A-Za-z]{1,20} ?)?[Nn]ame|[Ee]-?[Mm]ail|Company)(?:»|&raquo;)/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
);

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
    [anyPlaceholder, foreign].flatMap((pattern) => email.html?.match(pattern) ?? []),
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
    for (const { written, at } of outsideCode(text, format, foreign).filter(isNew)) {
      report({
        code: 'placeholder',
        where,
        at,
        message: `${quoted(written)} looks like a placeholder of another service. It is sent literally.`,
        severity: 'warning',
      });
    }
  }
}
