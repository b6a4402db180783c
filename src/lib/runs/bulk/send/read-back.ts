import type { EmailListItem } from '../../../../api/email.ts';
import { limits } from '../../../../api/limits.ts';
import { MailerError } from '../../../base/errors.ts';
import type { Context } from '../../../command-line/command/context.ts';
import { isTransient } from '../../../command-line/command/poll.ts';
import type { TakenEmail } from './match-in-order.ts';

/** One page of the list is read for this many ids; emails that it does not have are read by id. */
const idsPerPage = 10;

/**
 * Reads emails that the service created, by their ids and in their order, each request in its `turn`: from the newest
 * pages of the list, the others one by one. An email that the service does not show, or not readably, is undefined; so is
 * the result as soon as `isRunning` returns false. Throws what a later try may resolve: errors of the network, a rate limit,
 * the key.
 */
export function createReadBack({ call }: Context, turn: () => Promise<void>) {
  const limit = limits.emailsPerPage.max;
  const listed = async (page: number): Promise<readonly EmailListItem[]> => {
    try {
      return (await call('email.list', { query: { page, limit } }, { turn })).data;
    } catch (error) {
      // A service without a list, or a key that may not read it, may still show single emails.
      if (!(error instanceof MailerError) || isTransient(error)) throw error;
      return [];
    }
  };
  const read = async (id: string): Promise<TakenEmail> => {
    try {
      return await call('email.get', { params: { emailId: id } }, { turn });
    } catch (error) {
      if (isForGood(error)) return undefined;
      throw error;
    }
  };
  return async (
    ids: readonly string[],
    isRunning: () => boolean,
  ): Promise<readonly TakenEmail[] | undefined> => {
    const found = new Map<string, TakenEmail>();
    const mostPages = Math.floor(ids.length / idsPerPage);
    for (let page = 1; page <= mostPages && found.size < ids.length; page++) {
      if (!isRunning()) return undefined;
      const emails = await listed(page);
      for (const email of emails) if (ids.includes(email.id)) found.set(email.id, email);
      if (emails.length < limit) break;
    }
    const taken: TakenEmail[] = [];
    for (const id of ids) {
      if (!isRunning()) return undefined;
      taken.push(found.get(id) ?? (await read(id)));
    }
    return taken;
  };
}

function isForGood(error: unknown): boolean {
  if (!(error instanceof MailerError) || error.details.request?.mayBeOfProxy) return false;
  const { code, details } = error;
  // A response without the fields of an email; an id that cannot be requested.
  if (code === 'bad_reply') return details.issues !== undefined;
  return ['usage', 'not_found', 'rejected'].includes(code);
}
