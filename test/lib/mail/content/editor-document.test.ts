import { expect, test } from 'vitest';
import { textOfDocument } from '../../../../src/shared/editor-document.ts';

test('the text of a document has a line for each block, with links, variables and buttons', () => {
  const link = { type: 'link', attrs: { href: 'https://example.com' } };
  const document = {
    type: 'doc',
    content: [
      { type: 'heading', attrs: { level: 1 }, content: [{ type: 'text', text: 'News' }] },
      {
        type: 'paragraph',
        content: [
          { type: 'text', text: 'Dear ' },
          { type: 'variable', attrs: { id: 'firstName' } },
          { type: 'text', text: ', read ' },
          { type: 'text', text: 'it', marks: [link] },
        ],
      },
      { type: 'button', attrs: { text: 'Buy' } },
      { type: 'image', attrs: { src: 'https://example.com/a.png' } },
    ],
  };
  expect(textOfDocument(JSON.stringify(document))).toBe(
    'News\nDear {{firstName}}, read it (https://example.com)\nBuy\n',
  );
});

test('what is no document stays as it is', () => {
  for (const text of ['', 'plain', '[1]', '{"type":"image"}', 'null']) {
    expect(textOfDocument(text)).toBe(text);
  }
});
