import type { Account } from '../account/resolve-account.ts';
import { AuthError, MailerError, UnavailableError, withHint } from '../errors.ts';
import type { Client } from '../http/client.ts';
import { explainForbidden } from '../http/explain-forbidden.ts';
import { explainNotOffered } from '../http/explain-not-offered.ts';
import type { System } from '../system/system.ts';
import { TransportError } from '../system/wire.ts';
import { decoded } from '../text/decoded.ts';
import type { CommonFlags } from './flags/common-flags.ts';
import { nextCommand } from './next-command.ts';

interface Explaining {
  readonly account: () => Promise<Pick<Account, 'baseUrl'>>;
  readonly client: () => Promise<Client>;
  readonly flags: CommonFlags;
  readonly system: System;
}

/** The error to end a command with. Adds what the service or `doctor` can tell about its cause. */
export async function explain(error: unknown, context: Explaining): Promise<unknown> {
  const { client, flags, system } = context;
  if (error instanceof UnavailableError) return namingDoctor(error, context);
  const command = (...words: readonly string[]) => nextCommand({ flags, system }, ...words);
  if (!(error instanceof AuthError)) {
    const explained = await explainNotOffered(error, client, system, command);
    return withHint(explained, (one) => whereToLook(one, command));
  }
  const { baseUrl = '' } = await context.account();
  const { monotonic } = system;
  const history = command('reputation', 'events');
  return await explainForbidden(error, client, { monotonic, baseUrl, history });
}

/** The hint with the list of emails or contacts, if one of these was not found. */
function whereToLook(
  { code, details: { hint, request } }: MailerError,
  command: (...words: readonly string[]) => string,
): string | undefined {
  if (code !== 'not_found' || request === undefined || request.mayBeOfProxy) return hint;
  const path = /^\/v1\/(?:emails|contactBooks\/([^/]+)\/contacts)\/[^/]+/.exec(request.path);
  if (hint !== undefined || path === null) return hint;
  const [, book] = path;
  return book === undefined
    ? `To list the emails: ${command('email', 'list')}`
    : `To list its contacts: ${command('contact', 'list', '--book', decoded(book))}`;
}

/** A connection error, with the command that finds its cause. The sandbox has no connection. */
function namingDoctor(error: MailerError, { flags, system }: Explaining): MailerError {
  const { hint = '' } = error.details;
  // A hint of several lines ends with the command that repeats or resumes; another command below it
  // would be taken for that one.
  const isEnough = hint.includes('mailer doctor') || hint.includes('\n');
  if (flags.sandbox === true || isEnough || !isOfConnection(error)) return error;
  const doctor = `To find the cause: ${nextCommand({ flags, system }, 'doctor')}`;
  return withHint(error, [hint, doctor].filter(Boolean).join(' '));
}

function isOfConnection(error: unknown): boolean {
  if (error instanceof TransportError) return true;
  return error instanceof MailerError && isOfConnection(error.cause);
}
