import type { Contact } from '../../../api/contact.ts';
import type { Context } from '../../command-line/command/context.ts';
import { queryText } from '../../service/http/build-request.ts';

/**
 * The most characters of addresses in a URL. With path and host it stays below 8,000, which RFC 9110
 * recommends that every server and proxy supports. Each read counts towards the rate limit.
 */
const longestList = 7500;
/** An address that needs no encoding in a query. */
const plain = /^[\w.@-]+$/;

/**
 * Finds contacts of a book by address: those that each request finds, with as many addresses as a URL can hold. Skips an
 * address with a comma, because the service would split it.
 */
export async function* contactsByAddress(
  { call }: Pick<Context, 'call'>,
  contactBookId: string,
  addresses: Iterable<string>,
): AsyncGenerator<readonly Contact[]> {
  for (const list of lists(addresses)) {
    const query = { emails: list.join(',') };
    yield await call('contact.list', { params: { contactBookId }, query });
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
