/** The flags for what HTML is made of, as help shows them. */
export const writingFlags = {
  markdownFile: [
    '--markdown-file <path>',
    'body in Markdown, - for stdin; subject, sender and more may stand above it',
  ],
  layout: ['--layout <path>', 'HTML that the Markdown is put into, at {{ content }}'],
  inlineCss: ['--inline-css', 'put the CSS of the HTML into its style attributes'],
} as const;
