import { compile } from 'html-to-text';

/**
 * The text part of an email with this HTML: links as `text (URL)`, tables made from Markdown in columns,
 * images by their description. What readers do not see, such as the text for the inbox, is left out.
 */
export const textOfHtml: (html: string) => string = withoutBlanks(
  compile({
    wordwrap: false,
    baseElements: { selectors: ['body'] },
    formatters: {
      description: ({ attribs }, _, builder) => builder.addInline(attribs?.alt ?? ''),
    },
    selectors: [
      ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({
        selector,
        options: { uppercase: false },
      })),
      {
        selector: 'a',
        options: {
          linkBrackets: ['(', ')'],
          hideLinkHrefIfSameAsText: true,
          noAnchorUrl: true,
        },
      },
      { selector: 'img', format: 'description' },
      { selector: 'ul', options: { itemPrefix: '- ' } },
      {
        selector: 'table.data',
        format: 'dataTable',
        options: { uppercaseHeaderCells: false },
      },
      { selector: '[hidden]', format: 'skip' },
      { selector: '[style*="display:none"]', format: 'skip' },
      { selector: '[style*="display: none"]', format: 'skip' },
    ],
  }),
);

/** Nobody sees blanks at the end of a line, and some programs read two hyphens and a blank as a signature. */
function withoutBlanks(convert: (html: string) => string): (html: string) => string {
  return (html) =>
    convert(html)
      // Looked for at their beginning only: else many of them take time by their square.
      .replace(/(?<![ \t\u00a0])[ \t\u00a0]+$/gm, '')
      .trim();
}
