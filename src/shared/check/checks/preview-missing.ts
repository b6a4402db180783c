import { defineCheck } from '../check.ts';

export const previewMissing = defineCheck({
  code: 'preview-missing',
  severity: 'info',
  meaning: 'a campaign without a preview text',
  find({ previewText, kind, isPart = false }, report) {
    if (kind !== 'campaign' || previewText || isPart) return;
    report({
      where: 'preview',
      message: 'There is no preview text, so programs show the beginning of the email.',
    });
  },
});
