import { isReservedHeader } from '../../shared/reserved-headers.ts';
import { breakable, type EncodeWord } from './header-text.ts';

/** The name of a header (RFC 5322, section 2.2) that leaves room for a value on its line. */
const fieldName = /^[!-9;-~]{1,200}$/;

/** Headers whose grammar does not allow encoded words. */
const structured =
  /^(list-.*|in-reply-to|references|sender|auto-submitted|precedence|feedback-id)$/i;

/** The sender's own headers, without reserved and invalid ones. */
export function customHeaders(given: Readonly<Record<string, string>>, encodeWord: EncodeWord) {
  const headers = Object.entries(given)
    .filter(([name]) => fieldName.test(name) && !isReservedHeader(name))
    .map(([key, value]) => ({
      key,
      value: structured.test(key) ? value : breakable(value, encodeWord),
    }));
  const spellings = new Map(headers.map(({ key }) => [key.toLowerCase(), key]));
  return {
    headers,
    /** A name in the sender's spelling; other names unchanged. */
    spelling: (name: string) => spellings.get(name.toLowerCase()) ?? name,
  };
}
