/** The flags for formats that are converted to HTML, as help shows them. */
export const writingFlags = {
  markdownFile: ['--markdown-file <path>', 'body in Markdown, - for stdin; reads front matter'],
  mjmlFile: ['--mjml-file <path>', 'body in MJML, - for stdin; needs the package mjml'],
  reactEmail: ['--react-email <path>', 'body as a component of React Email'],
  layout: ['--layout <path>', 'HTML layout for the Markdown, with {{ content }}'],
  inlineCss: ['--inline-css', 'move CSS from <style> into style attributes'],
} as const;
