import type { HtmlRule } from '../document.ts';
import { quoted } from '../quoted.ts';

/** Elements that mail programs remove because they could be harmful. */
const removed = new Set(['script', 'iframe', 'frame', 'frameset', 'object', 'embed', 'applet']);

/** Reports scripts, event handlers and frames. */
export const checkActiveContent: HtmlRule = ({ elements }, _email, report) => {
  for (const { name, at, attributes } of elements) {
    if (removed.has(name)) {
      report({ code: 'active-content', at, message: `Mail programs remove <${name}>.` });
    }
    for (const [attribute, { at: place }] of attributes) {
      if (!/^on[a-z]+$/.test(attribute)) continue;
      report({
        code: 'active-content',
        at: place,
        message: `Mail programs remove the handler ${quoted(attribute)}.`,
      });
    }
  }
};

/** Reports an email that does not declare its colours for dark mode. */
export const checkDarkMode: HtmlRule = ({ elements, styleSheets }, _email, report) => {
  const isMeta = elements.some(
    ({ name, attributes }) =>
      name === 'meta' &&
      /^(supported-color-schemes|color-scheme)$/i.test(attributes.get('name')?.value ?? ''),
  );
  if (isMeta || styleSheets.some(({ css }) => /prefers-color-scheme|color-scheme\s*:/i.test(css))) {
    return;
  }
  report({
    code: 'dark-mode',
    message:
      'It does not declare support for dark mode; add <meta name="color-scheme" content="light dark">.',
  });
};

/** Gmail cuts an email off at this many bytes of HTML, and links to the rest. */
const gmailShows = 102 * 1024;

export const checkHtmlSize: HtmlRule = ({ html }, _email, report) => {
  const bytes = Buffer.byteLength(html);
  if (bytes <= gmailShows) return;
  report({
    code: 'html-size',
    message: `The HTML has ${Math.ceil(bytes / 1024)} KiB; Gmail cuts it off after 102 KiB.`,
    key: '',
  });
};
