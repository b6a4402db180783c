import { defineCheck } from '../check.ts';

/** The most bytes of attachments that fit into the 25 MB of large mailboxes: base64 adds a third. */
const mostAttached = 18 * 1024 * 1024;

export const attachmentSize = defineCheck({
  code: 'attachment-size',
  severity: 'warning',
  meaning: 'attachments that large mailboxes reject',
  find({ attachments = [] }, report) {
    const bytes = attachments.reduce((sum, one) => sum + one.bytes, 0);
    if (bytes <= mostAttached) return;
    report({
      where: 'attachments',
      message: `The attachments have ${Math.ceil(bytes / 1024 / 1024)} MiB; Gmail rejects emails of more than 25 MB.`,
    });
  },
});
