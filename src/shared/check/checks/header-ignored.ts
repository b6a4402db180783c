import { isReservedHeader } from '../../reserved-headers.ts';
import { defineCheck } from '../check.ts';
import { quoted } from '../quoted.ts';

export const headerIgnored = defineCheck({
  code: 'header-ignored',
  severity: 'warning',
  meaning: 'a header that services drop',
  find({ headers = {} }, report) {
    for (const name of Object.keys(headers).filter(isReservedHeader)) {
      report({ where: 'headers', message: `Services drop the header ${quoted(name)}.` });
    }
  },
});
