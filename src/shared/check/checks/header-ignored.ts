import { isReservedHeader } from '../../reserved-headers.ts';
import { defineCheck, warnsOfAll } from '../check.ts';
import { quoted } from '../quoted.ts';

/** What mailboxes understand of the headers by which people unsubscribe (RFC 2369 and 8058), and how to write it. */
const forms: Readonly<Record<string, readonly [form: RegExp, example: string]>> = {
  'list-unsubscribe': [/<[^<>]+>/, '<https://example.com/u>, in angle brackets'],
  'list-unsubscribe-post': [/^\s*List-Unsubscribe=One-Click\s*$/i, 'List-Unsubscribe=One-Click'],
};

export const headerIgnored = defineCheck({
  code: 'header-ignored',
  severity: 'warning',
  meaning: 'a header that services drop, or that mailboxes do not understand',
  doors: warnsOfAll,
  title: ({ isOne }) => `${isOne ? 'This header has' : 'These headers have'} no effect:`,
  find({ headers = {} }, report) {
    for (const [name, value] of Object.entries(headers)) {
      const [form, example = ''] = forms[name.toLowerCase()] ?? [];
      if (isReservedHeader(name)) {
        const item = `services drop ${quoted(name)} and set their own`;
        report({ where: 'headers', item, message: `Services drop the header ${quoted(name)}.` });
      } else if (form?.test(value) === false) {
        const item = `mailboxes ignore ${quoted(name)}; write ${example}`;
        const message = `Mailboxes ignore the header ${quoted(name)}; write ${example}.`;
        report({ where: 'headers', item, message });
      }
    }
  },
});
