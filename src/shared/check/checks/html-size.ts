import { defineCheck } from '../check.ts';

/** Gmail cuts an email off at this many bytes of HTML, and links to the rest. */
const gmailShows = 102 * 1024;

export const htmlSize = defineCheck({
  code: 'html-size',
  severity: 'warning',
  meaning: 'more HTML than Gmail shows',
  find({ html = '' }, report) {
    const bytes = Buffer.byteLength(html);
    if (bytes <= gmailShows) return;
    report({
      where: 'html',
      message: `The HTML has ${Math.ceil(bytes / 1024)} KiB; Gmail cuts it off after 102 KiB.`,
      key: '',
    });
  },
});
