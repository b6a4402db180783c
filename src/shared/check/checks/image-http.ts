import { defineCheck } from '../check.ts';
import { htmlDocumentOf } from '../document.ts';
import { quoted } from '../quoted.ts';

export const imageHttp = defineCheck({
  code: 'image-http',
  severity: 'warning',
  meaning: 'an image that is loaded without encryption',
  find(message, report) {
    for (const { name, attributes } of htmlDocumentOf(message).elements) {
      for (const attribute of ['src', 'background', 'poster']) {
        const { value = '', at } = attributes.get(attribute) ?? {};
        if (name === 'a' || !/^\s*http:/i.test(value)) continue;
        report({
          where: 'html',
          at,
          message: `${quoted(value.trim())} is loaded without encryption; many programs block it. Use https.`,
          key: 'http',
        });
      }
    }
  },
});
