import { defineCheck } from '../check.ts';

export const attachmentCount = defineCheck({
  code: 'attachment-count',
  severity: 'error',
  meaning: 'more attachments than the service takes',
  find({ attachments = [] }, report) {
    if (attachments.length <= 10) return;
    report({
      where: 'attachments',
      message: `There are ${attachments.length} attachments; the service takes up to 10.`,
    });
  },
});
