import { compile } from 'html-to-text';

/**
 * The text part of an email with this HTML: links as `text (URL)`, tables from Markdown in columns, images by
 * their description. Leaves out what readers do not see, such as the preview text.
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

/**
 * Removes trailing blanks. They are invisible, and some programs read two hyphens and a blank as a signature.
 */
function withoutBlanks(convert: (html: string) => string): (html: string) => string {
  return (html) =>
    convert(html)
      // Matches only at the beginning of the blanks; otherwise many of them take quadratic time.
      .replace(/(?<![ \t\u00a0])[ \t\u00a0]+$/gm, '')
      .trim();
}
