import type { HtmlRule } from '../document.ts';
import { baseIn, imagesIn } from '../image-places.ts';
import { quoted } from '../quoted.ts';
import { whyLocal } from '../why-local.ts';

/** Reports images without alternative text, over plain HTTP, or at an address that cannot be loaded. */
export const checkImages: HtmlRule = (document, email, report) => {
  const base = baseIn(document);
  for (const { url, at } of imagesIn(document)) {
    const why = whyLocal(url, base);
    if (why === undefined) continue;
    const message = `Recipients cannot load the image: ${why}.`;
    report({ code: 'image-source', at, message });
  }
  for (const { name, at, attributes } of document.elements) {
    if (name === 'img') {
      if (!attributes.has('alt')) {
        report({
          code: 'image-alt',
          at,
          message: 'The image has no alt text; for a decorative image, write alt="".',
        });
      }
      const source = attributes.get('src');
      const url = source?.value.trim() ?? '';
      if (url === '') {
        report({ code: 'image-source', at, message: 'The image has no src.' });
      } else if (/^cid:/i.test(url) && email.embedsImages !== true) {
        report({
          code: 'image-source',
          at: source?.at,
          message: 'Images with cid: URLs are never shown; use an https URL.',
        });
      }
    }
    for (const attribute of ['src', 'background', 'poster']) {
      const { value = '', at: place } = attributes.get(attribute) ?? {};
      if (name === 'a' || !/^\s*http:/i.test(value)) continue;
      report({
        code: 'image-http',
        at: place,
        message: `${quoted(value.trim())} is loaded without encryption; many programs block it. Use https.`,
        key: 'http',
      });
    }
  }
};
