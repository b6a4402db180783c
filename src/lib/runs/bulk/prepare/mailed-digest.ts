import { createHash } from 'node:crypto';
import { bareAddress } from '../../../../api/bare-address.ts';
import type { SendBody } from '../../../../api/email.ts';
import { canonicalJson } from '../../../../shared/canonical-json.ts';
import { allRecipients } from '../../../service/policy/redirect.ts';

const recipientFields: ReadonlySet<string> = new Set(['to', 'cc', 'bcc']);

/**
 * Adds up who gets which subject, made of which values, to a digest in hex: the same for the same rows in any order and
 * file format, whatever text is made of them and whatever the column of recipients is called. Its memory does not grow
 * with their number.
 */
export function createMailedDigest() {
  let sum = 0n;
  return {
    add(email: SendBody, values: Readonly<Record<string, unknown>>): void {
      const { subject = '', templateId = '' } = email;
      const who = allRecipients(email).map(bareAddress).sort();
      const others = Object.entries(values).flatMap(([name, value]) => {
        // JSON has numbers and booleans where CSV has their text.
        const text = typeof value === 'object' ? value : String(value);
        const isWho = typeof text === 'string' && who.includes(bareAddress(text));
        return isWho || recipientFields.has(name) ? [] : [[name, text] as const];
      });
      const row = canonicalJson([who, subject, templateId, Object.fromEntries(others)]);
      const hash = createHash('sha256').update(row).digest('hex');
      // Rows may have any order, and a row that occurs twice counts twice.
      sum = BigInt.asUintN(256, sum + BigInt(`0x${hash}`));
    },
    end: () => sum.toString(16),
  };
}
