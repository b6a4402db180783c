import { isMailbox } from '../../../api/address.ts';
import { bareAddress } from '../../../api/bare-address.ts';
import type { SendBody } from '../../../api/email.ts';
import { UsageError } from '../../base/errors.ts';
import type { System } from '../../base/system/system.ts';
import { type MessageRecipients, type ParsedEml, type Person, textOf } from '../eml/parse-eml.ts';
import { sysexit } from './sysexits.ts';

/** The recipients of one email. */
export type Addressees = Pick<SendBody, 'to' | 'cc' | 'bcc'>;

/** Domains that are only valid on one machine or network (RFC 6761, RFC 6762, RFC 8375). */
const localDomain = /(^|\.)(localhost|localdomain|local|internal|lan|home\.arpa|invalid)$/i;

/** Whether an address belongs to this machine or network, so that no service can deliver to it. */
export type IsLocal = (address: string) => boolean;

/**
 * The machine's full name may also be the domain of an organisation: at that name, only root and this user
 * are local, and nobody is if the sender has that domain, from `--from` or the settings.
 */
export function createIsLocal(
  { hostName, userName }: Pick<System, 'hostName' | 'userName'>,
  sender: string | undefined,
): IsLocal {
  const host = hostName.toLowerCase();
  const isMachine = (domain: string) => {
    if (sender !== undefined && bareAddress(sender).endsWith(`@${domain}`)) return false;
    // The machine may be called "acme" and the organisation "acme.com".
    return domain === host || (domain.startsWith(`${host}.`) && /\..+\./.test(domain));
  };
  return (address) => {
    const [user = '', domain, ...rest] = address.split('@');
    if (!/^[\w.+-]+$/.test(user) || rest.length > 0) return false;
    if (domain === undefined || localDomain.test(domain)) return true;
    if (!domain.includes('.')) return !domain.startsWith('[');
    return (user === userName || user === 'root') && isMachine(domain.toLowerCase());
  };
}

/** Which users are local, and who gets their mail. */
interface Locals {
  readonly isLocal: IsLocal;
  readonly localMailTo: readonly string[];
}

/** The recipients of a message: from the command line, else from its headers. */
export function envelopeOf(
  message: ParsedEml,
  given: readonly Person[] | undefined,
): readonly Person[] {
  const { to, cc, bcc }: MessageRecipients = message.resent ?? message;
  const all = given ?? [...to, ...cc, ...bcc];
  if (all.length > 0) return all;
  throw new UsageError('The message has no recipients in its headers To, Cc and Bcc.');
}

/**
 * The emails to send for a message. Recipients stay visible if the headers name them; the others get blind
 * copies. If no header names any, each gets a separate email, so that they do not see each other. People
 * only in the headers get nothing. Mail to local users goes to `localMailTo`.
 */
export function emailsTo(
  message: ParsedEml,
  envelope: readonly Person[],
  { isLocal, localMailTo }: Locals,
): Addressees[] {
  const left = new Map(envelope.map((one) => [keyOf(one), one]));
  const seen = new Set<string>();
  const once = (mailbox: string) => {
    const key = bareAddress(mailbox);
    return !seen.has(key) && seen.add(key);
  };
  const mailboxes = (people: readonly Person[]) =>
    people.flatMap((one) => mailboxesOf(one, { isLocal, localMailTo })).filter(once);
  const taken = (named: readonly Person[]) =>
    mailboxes(named.filter((one) => left.delete(keyOf(one))));
  const to = taken(message.to);
  const cc = taken(message.cc);
  const bcc = mailboxes([...left.values()]);
  if (to.length + cc.length === 0) return bcc.map((one) => ({ to: one }));
  const shown = to.length > 0 ? { to, cc } : { to: cc, cc: [] };
  return [
    {
      to: oneOrAll(shown.to),
      ...(shown.cc.length > 0 && { cc: oneOrAll(shown.cc) }),
      ...(bcc.length > 0 && { bcc: oneOrAll(bcc) }),
    },
  ];
}

function mailboxesOf(one: Person, { isLocal, localMailTo }: Locals): readonly string[] {
  if (!isLocal(one.address)) {
    const mailbox = textOf(one);
    if (isMailbox(mailbox)) return [mailbox];
    throw new UsageError(`${JSON.stringify(mailbox)} is not an email address`);
  }
  if (localMailTo.length > 0) return localMailTo;
  throw new UsageError(
    `${one.address} is a local user, and the setting local-mail-to is missing.`,
    {
      hint: 'To choose who gets this mail: mailer config set local-mail-to ADDRESS',
      exitCode: sysexit.noUser,
    },
  );
}

function keyOf({ address }: Person): string {
  return address.toLowerCase();
}

/** A single address as a string, several as an array, as other commands send them. */
export function oneOrAll(mailboxes: readonly string[]): string | string[] {
  const [first = '', ...rest] = mailboxes;
  return rest.length === 0 ? first : [first, ...rest];
}
