import { defineCheck } from '../check.ts';
import { htmlDocumentOf } from '../document.ts';

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
    const inStyle = /prefers-color-scheme|color-scheme\s*:/i;
    if (isMeta || styleSheets.some(({ css }) => inStyle.test(css))) return;
    report({
      where: 'html',
      message:
        'It does not declare support for dark mode; add <meta name="color-scheme" content="light dark">.',
    });
  },
});
