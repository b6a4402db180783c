import type { Contact } from '../../api/contact.ts';
import type { Context } from '../command/context.ts';
import { queryText } from '../http/request.ts';

/**
 * Characters of the addresses in a URL: with path and host it stays below 8,000, which RFC 9110 asks every
 * server and proxy to take. Each read costs a request of the rate limit.
 */
const longestList = 7500;
/** An address that a query holds as it is. */
const plain = /^[\w.@-]+$/;

/** The contacts that one request found, and the addresses it asked for. */
interface Found {
  readonly asked: readonly string[];
  readonly found: readonly Contact[];
}

/**
 * Contacts of a book by their addresses, request by request, as many addresses in each as a URL holds.
 * One with a comma is left out, because the service would split it.
 */
export async function* contactsByAddress(
  { call }: Pick<Context, 'call'>,
  contactBookId: string,
  addresses: Iterable<string>,
): AsyncGenerator<Found> {
  for (const asked of lists(addresses)) {
    const query = { emails: asked.join(',') };
    yield { asked, found: await call('contact.list', { params: { contactBookId }, query }) };
  }
}

function* lists(addresses: Iterable<string>): Generator<readonly string[]> {
  let list: string[] = [];
  let length = 0;
  for (const address of new Set(addresses)) {
    if (address === '' || address.includes(',')) continue;
    const size = 1 + (plain.test(address) ? address.length : encodedLength(address));
    if (list.length > 0 && length + size > longestList) {
      yield list;
      list = [];
      length = 0;
    }
    list.push(address);
    length += size;
  }
  if (list.length > 0) yield list;
}

function encodedLength(address: string): number {
  return queryText(new URLSearchParams([['', address]])).length - 1;
}
