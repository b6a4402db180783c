import { bestEffort } from '../command/best-effort.ts';
import type { Context } from '../command/context.ts';
import { dkimKeysOf } from '../domain/dkim-selectors.ts';
import { type IsOwn, isWithin } from './origin.ts';

/** Which signatures are one's own, and what to say if that is not known. */
interface OwnKeys {
  readonly isOwn: IsOwn | undefined;
  readonly notes: readonly string[];
}

/** By selectors: all signatures with these that are of the domain of the report. */
export function ownBySelectors(selectors: readonly string[]): IsOwn {
  const own = new Set(selectors.map((one) => one.toLowerCase()));
  return ({ selector, domain: signer }, domain) =>
    own.has(selector) && (isWithin(signer, domain) || isWithin(domain, signer));
}

/**
 * By the account's domains, if there is an account. If the service does not respond within seconds, the reports are
 * shown without it.
 */
export async function ownByAccount(context: Context): Promise<OwnKeys> {
  const account = await context.account();
  if (account.baseUrl === undefined || account.keySource === undefined) {
    return { isOwn: undefined, notes: [`There is no account, so mailer ${cannotTell}`] };
  }
  const domains = await bestEffort(context, (within) => context.call('domain.list', {}, within));
  if (domains === undefined) {
    context.notes.warn(`The service did not list the account's domains, so mailer ${cannotTell}`);
    return { isOwn: undefined, notes: [] };
  }
  const keys = dkimKeysOf(domains);
  return {
    isOwn: ({ selector, domain }) => keys.has(`${selector}._domainkey.${domain}`),
    notes: [],
  };
}

const cannotTell = 'cannot tell which mail is yours. Name your DKIM selectors with --selector.';
