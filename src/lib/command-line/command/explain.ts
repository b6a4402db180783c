import {
  AuthError,
  type ErrorDetails,
  MailerError,
  UnavailableError,
  withHint,
} from '../../base/errors.ts';
import type { System } from '../../base/system/system.ts';
import { TransportError } from '../../base/system/wire.ts';
import { decoded } from '../../base/text/decoded.ts';
import type { Account } from '../../service/account/resolve-account.ts';
import type { Client } from '../../service/http/client.ts';
import { explainForbidden } from '../../service/http/explain-forbidden.ts';
import { explainNotOffered } from '../../service/http/explain-not-offered.ts';
import { aboutKey, logIn } from '../../service/http/reply.ts';
import type { CommonFlags } from './flags/common-flags.ts';
import { nextCommand } from './next-command.ts';
import { namedKey, otherKey } from './other-key.ts';

interface Explaining {
  readonly account: () => Promise<Pick<Account, 'baseUrl' | 'keySource'>>;
  readonly client: () => Promise<Client>;
  readonly flags: CommonFlags;
  readonly system: System;
  /** Whether the service accepted a request that changes something. */
  readonly hasChanged: boolean;
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
  const { baseUrl = '', keySource } = await context.account();
  const { monotonic } = system;
  const history = command('reputation', 'events');
  const explained = await explainForbidden(error, client, { monotonic, baseUrl, history });
  return withHint(explained, ({ details }) => {
    const { hint = '' } = details;
    const about = aboutKey(baseUrl);
    const known =
      keySource === undefined || flags.sandbox === true
        ? hint
        : hint
            .replace(logIn, () => otherKey(context, keySource, baseUrl))
            .replace(about, () => about.replace('the key', namedKey(keySource)));
    return [nothingDone(details, context), known].filter(Boolean).join(' ');
  });
}

/** A sentence if nothing was sent or changed, for a request that would have; undefined if that is not certain. */
function nothingDone(
  { request, ids, run, hint = '' }: ErrorDetails,
  { hasChanged }: Explaining,
): string | undefined {
  if (request === undefined || request.method === 'GET' || request.method === 'HEAD')
    return undefined;
  const isCertain = !request.outcomeUnknown && request.unansweredBefore !== true;
  if (hasChanged || !isCertain || ids !== undefined || run !== undefined) return undefined;
  if (/\n|nothing was/i.test(hint)) return undefined;
  return /^\/v1\/emails(?:\/batch)?$/.test(request.path)
    ? 'Nothing was sent.'
    : 'Nothing was changed.';
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
