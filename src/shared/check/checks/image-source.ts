import { urlsInDocument } from '../../editor-document.ts';
import { defineCheck, stops } from '../check.ts';
import { htmlDocumentOf } from '../document.ts';
import { baseIn, imagesIn } from '../image-places.ts';
import { quoted } from '../quoted.ts';
import { whyLocal } from '../why-local.ts';

export const imageSource = defineCheck({
  code: 'image-source',
  severity: 'error',
  meaning: 'an image that no mail program can load',
  doors: stops,
  title: ({ isOne }) => `Recipients cannot load ${isOne ? 'this image' : 'these images'}:`,
  advice: 'Put the files on a web server and write their https URLs.',
  find(message, report) {
    const document = htmlDocumentOf(message);
    const base = baseIn(document);
    for (const { url, at } of imagesIn(document)) {
      const item = whyLocal(url, base);
      if (item === undefined) continue;
      report({ where: 'html', at, message: `Recipients cannot load the image: ${item}.`, item });
    }
    for (const url of urlsInDocument(message.content).images) {
      const item = url === '' ? undefined : whyLocal(url);
      if (item === undefined) continue;
      report({ where: 'content', message: `Recipients cannot load the image: ${item}.`, item });
    }
    for (const { name, at, attributes } of document.elements) {
      if (name !== 'img') continue;
      const source = attributes.get('src');
      const url = source?.value.trim() ?? '';
      if (url === '') {
        const item = 'the image has no src';
        report({ where: 'html', at, message: 'The image has no src.', item, isLikely: true });
      } else if (/^cid:/i.test(url) && message.embedsImages !== true) {
        report({
          where: 'html',
          at: source?.at,
          message: 'Images with cid: URLs are never shown; use an https URL.',
          item: `${quoted(url)} is never shown, because attachments have no Content-ID`,
          isLikely: true,
        });
      }
    }
  },
});
