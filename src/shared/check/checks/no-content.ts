import { defineCheck, stops } from '../check.ts';
import { isBlank, showsNothing } from '../shows-nothing.ts';

export const noContent = defineCheck({
  code: 'no-content',
  severity: 'error',
  meaning: 'nothing that readers see',
  doors: stops,
  title: () => 'Readers would see nothing:',
  find({ html, text, hasTemplate, isPart, attachments = [] }, report) {
    if (!html && !text) {
      if (isPart || hasTemplate) return;
      report({ where: 'html', message: 'The email has neither text nor HTML.' });
      return;
    }
    // The file may be all that is sent.
    if (attachments.length > 0) return;
    if (html && showsNothing(html)) {
      const item = 'the HTML has neither text nor an image';
      report({ where: 'html', message: 'The HTML has neither text nor an image.', item });
    }
    if (!html && text && isBlank(text)) {
      const item = 'the text has only white space';
      report({ where: 'text', message: 'The text has only white space.', item });
    }
  },
});
