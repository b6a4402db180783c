import type { Notes } from '../lib/base/terminal/notes.ts';
import type { SmtpDelivery } from '../sandbox/mail/deliver/delivery.ts';
import type { SmtpUrl } from '../sandbox/mail/deliver/smtp-url.ts';
import type { SandboxAccount } from '../sandbox/open.ts';

/** Starts sending mail of an account to the SMTP server, if there is one. Of the sandbox's own, it says where mail goes. */
export async function deliveryOf(
  notes: Notes,
  account: SandboxAccount,
  server: SmtpUrl | undefined,
): Promise<SmtpDelivery | undefined> {
  if (server === undefined) {
    tellWaiting(notes, account.deliverByItself());
    return undefined;
  }
  const delivery = await account.deliverBySmtp(server);
  if (account.name !== undefined) return delivery;
  notes.say(`Mail is sent to the SMTP server ${server.name}.`);
  // Not awaited: a server that is not running yet may start later.
  void delivery.check();
  return delivery;
}

/** Says how many emails wait for an SMTP server, if there are any. */
export function tellWaiting(notes: Notes, waiting: number): void {
  if (waiting > 0) notes.warn(waitingInWords(waiting));
}

/** How many emails, more than 0, wait for an SMTP server, and until when. */
export function waitingInWords(waiting: number): string {
  const emails = waiting === 1 ? '1 email waits' : `${waiting} emails wait`;
  return `${emails} for an SMTP server until the sandbox is started with --smtp.`;
}
