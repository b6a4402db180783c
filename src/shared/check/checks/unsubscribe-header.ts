import { defineCheck } from '../check.ts';

export const unsubscribeHeader = defineCheck({
  code: 'unsubscribe-header',
  severity: 'warning',
  meaning: 'a campaign without the header List-Unsubscribe',
  find({ headers, kind }, report) {
    if (kind !== 'campaign' || headers === undefined) return;
    if (Object.keys(headers).some((name) => name.toLowerCase() === 'list-unsubscribe')) return;
    report({
      where: 'headers',
      message: 'There is no header List-Unsubscribe, which Gmail and Yahoo require for campaigns.',
    });
  },
});
