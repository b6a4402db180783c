import { defineCheck } from '../check.ts';
import { htmlDocumentOf } from '../document.ts';
import { type CssVisitor, cssText, readCss } from '../read-css.ts';

export const darkMode = defineCheck({
  code: 'dark-mode',
  severity: 'info',
  meaning: 'the email does not declare support for dark mode',
  find(message, report) {
    if (!message.html) return;
    const { elements, styleSheets } = htmlDocumentOf(message);
    const isMeta = elements.some(
      ({ name, attributes }) =>
        name === 'meta' &&
        /^(supported-color-schemes|color-scheme)$/i.test(attributes.get('name')?.value ?? ''),
    );
    const used: string[] = [];
    const visitor: CssVisitor = {
      atRule: (_name, prelude) => used.push(cssText(prelude)),
      declaration: (property) => used.push(`${property}:`),
    };
    for (const { css, at } of styleSheets) readCss(css, at, visitor);
    if (isMeta || used.some((one) => /prefers-color-scheme|^color-scheme:/.test(one))) return;
    report({
      where: 'html',
      message:
        'It does not declare support for dark mode; add <meta name="color-scheme" content="light dark">.',
    });
  },
});
