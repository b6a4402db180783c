import { defineCheck } from '../check.ts';
import { judgedLinks } from '../links.ts';

export const linkEmpty = defineCheck({
  code: 'link-empty',
  severity: 'warning',
  meaning: 'a link to nowhere',
  find(message, report) {
    for (const { at, fault } of judgedLinks(message)) {
      if (fault?.kind === 'empty') report({ where: 'html', at, message: fault.message });
    }
  },
});
