import { defineCheck } from '../check.ts';

export const textMissing = defineCheck({
  code: 'text-missing',
  severity: 'warning',
  meaning: 'HTML without a text part',
  find({ html, text, kind, isPart = false }, report) {
    // For a campaign, services create the text version themselves.
    if (!html || text || kind !== 'email' || isPart) return;
    report({
      where: 'text',
      message:
        'There is no text part for programs that do not show HTML; spam filters look for one, too.',
    });
  },
});
