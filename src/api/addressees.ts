import { bareAddress } from './bare-address.ts';
import type { Email, SendBody } from './email.ts';

export type Addressed = Partial<Pick<Email | SendBody, 'to' | 'cc' | 'bcc'>>;

/** All recipients of an email, copies included, as bare addresses without repetitions. */
export function addressees({ to, cc, bcc }: Addressed): string[] {
  const given = [to, cc, bcc].flat().filter((one) => typeof one === 'string');
  return [...new Set(given.map(comparable))];
}

/** A bare address with its domain in ASCII: providers write `bücher.example` as `xn--bcher-kva.example`. */
export function comparable(mailbox: string): string {
  const address = bareAddress(mailbox);
  const domain = address.slice(address.lastIndexOf('@') + 1);
  const inDns = URL.parse(`http://${domain}`)?.hostname;
  return inDns === undefined ? address : address.slice(0, -domain.length) + inDns;
}
