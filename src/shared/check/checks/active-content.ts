import { defineCheck } from '../check.ts';
import { htmlDocumentOf } from '../document.ts';
import { quoted } from '../quoted.ts';

/** Elements that mail programs remove because they could be harmful. */
const removed = new Set(['script', 'iframe', 'frame', 'frameset', 'object', 'embed', 'applet']);

export const activeContent = defineCheck({
  code: 'active-content',
  severity: 'error',
  meaning: 'scripts, event handlers and frames, which mail programs remove',
  find(message, report) {
    for (const { name, at, attributes } of htmlDocumentOf(message).elements) {
      if (removed.has(name)) {
        report({ where: 'html', at, message: `Mail programs remove <${name}>.` });
      }
      for (const [attribute, { at: place }] of attributes) {
        if (!/^on[a-z]+$/.test(attribute)) continue;
        report({
          where: 'html',
          at: place,
          message: `Mail programs remove the handler ${quoted(attribute)}.`,
        });
      }
    }
  },
});
