import type { CheckedEmail, EmailPart, Report } from '../finding.ts';
import { quoted } from '../quoted.ts';

/** Placeholders that the service itself fills in in a campaign. */
const ofCampaigns =
  /^\{\{\s*(?:(?:usesend|unsend)_unsubscribe_url|email|firstName|lastName)\s*(?:,\s*fallback=[^{}]*)?\}\}$/;

/** A placeholder that the variables of a contact book may fill in. */
const ofBook = /^\{\{\s*[\w.-]+\s*(?:,\s*fallback=[^{}]*)?\}\}$/;

// Bounded, so that a text full of `{{` does not take longer.
const placeholder = /\{\{[^{}]{0,200}\}\}|\{%[^%{}]{0,200}%\}|<%[^%<>]{0,200}%>|%%\w{1,60}%%/g;

/** Reports placeholders that nothing fills in before the email is sent. */
export function checkPlaceholders(email: CheckedEmail, report: Report): void {
  const parts = [
    ['subject', email.subject],
    ['preview', email.previewText],
    ['html', email.html],
    ['text', email.text],
  ] as const satisfies readonly (readonly [EmailPart, string | undefined])[];
  const inHtml = new Set<string>();
  for (const [where, text = ''] of parts) {
    for (const { 0: found, index: at } of text.matchAll(placeholder)) {
      if (where === 'html') inHtml.add(found);
      // A text is usually generated from the HTML and repeats its placeholders.
      if (where === 'text' && inHtml.has(found)) continue;
      const isCampaign = email.kind === 'campaign' && where !== 'preview';
      if (isCampaign && ofCampaigns.test(found)) continue;
      const mayBeFilled = isCampaign && ofBook.test(found);
      report({
        code: 'placeholder',
        where,
        at,
        message: mayBeFilled
          ? `${quoted(found)} is filled in only if the contact book has this variable.`
          : `${quoted(found)} is sent literally.`,
        severity: mayBeFilled ? 'info' : undefined,
      });
    }
  }
}
