import { defineCheck } from '../check.ts';
import { htmlDocumentOf } from '../document.ts';

export const imageAlt = defineCheck({
  code: 'image-alt',
  severity: 'warning',
  meaning: 'an image without alt text',
  find(message, report) {
    for (const { name, at, attributes } of htmlDocumentOf(message).elements) {
      if (name !== 'img' || attributes.has('alt')) continue;
      report({
        where: 'html',
        at,
        message: 'The image has no alt text; for a decorative image, write alt="".',
      });
    }
  },
});
