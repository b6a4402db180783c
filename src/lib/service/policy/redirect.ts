import { addressAsWritten } from '../../../api/bare-address.ts';
import type { SendBody } from '../../../api/email.ts';
import { withOverflowCount } from '../../base/text/quoted-names.ts';
import { comparedAddress } from './pattern.ts';

/** The header with an email's original recipients. */
export const redirectHeader = 'X-Mailer-Redirected-For';

/** The most addresses in the subject, and in the header. */
const mostInSubject = 2;
const mostInHeader = 20;

/** All recipients of an email, copies included. */
export function allRecipients({ to, cc, bcc }: Pick<SendBody, 'to' | 'cc' | 'bcc'>): string[] {
  return [to, cc ?? [], bcc ?? []].flat();
}

/**
 * An email sent to `address` alone instead of its recipients. The subject names them, unless it comes from
 * a template. An email that already goes to `address` alone is unchanged.
 */
export function redirected(email: SendBody, address: string): SendBody {
  const recipients = allRecipients(email);
  if (isOnlyTo(recipients, address)) return email;
  const { cc: _, bcc: __, headers, subject, ...rest } = email;
  const bare = recipients.map(addressAsWritten);
  const inSubject = withOverflowCount(bare.slice(0, mostInSubject), bare.length).join(', ');
  const inHeader = withOverflowCount(bare.slice(0, mostInHeader), bare.length).join(', ');
  return {
    ...rest,
    to: address,
    ...(subject === undefined ? {} : { subject: `[to ${inSubject}] ${subject}` }),
    headers: { ...without(headers, redirectHeader), [redirectHeader]: inHeader },
  };
}

/** Whether all recipients are this address. */
export function isOnlyTo(recipients: readonly string[], address: string): boolean {
  const wanted = comparedAddress(address);
  return recipients.every((one) => {
    const { local, domain } = comparedAddress(one) ?? {};
    return local !== undefined && local === wanted?.local && domain === wanted.domain;
  });
}

function without(headers: SendBody['headers'], name: string): SendBody['headers'] {
  const others = Object.entries(headers ?? {}).filter(
    ([one]) => one.toLowerCase() !== name.toLowerCase(),
  );
  return Object.fromEntries(others);
}
