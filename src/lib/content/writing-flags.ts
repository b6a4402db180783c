/** The flags for formats that are converted to HTML, as help shows them. */
export const writingFlags = {
  markdownFile: [
    '--markdown-file <path>',
    'body in Markdown, - for stdin; front matter may set subject, sender and more',
  ],
  mjmlFile: ['--mjml-file <path>', 'body in MJML, - for stdin; needs the npm package mjml'],
  reactEmail: [
    '--react-email <path>',
    'body as a component of React Email; needs @react-email/render',
  ],
  layout: ['--layout <path>', 'HTML layout for the Markdown, with {{ content }}'],
  inlineCss: ['--inline-css', 'move CSS from <style> into style attributes'],
} as const;
