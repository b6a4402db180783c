import { breakable, type EncodeWord } from './header-text.ts';

/**
 * Headers that the message has from elsewhere, and headers that say how it is encoded or which way
 * it came. As services of this kind do, those of the sender are left out without an error.
 */
const reserved =
  /^(from|to|cc|bcc|subject|date|reply-to|message-id|mime-version|content-.*|return-path|received|resent-.*|dkim-signature|domainkey-signature|authentication-results|arc-.*)$/i;

/** A field's name (RFC 5322, section 2.2), short enough to leave room on its line. */
const fieldName = /^[!-9;-~]{1,200}$/;

/** Fields with a grammar, which an encoded word would not be part of. */
const structured =
  /^(list-.*|in-reply-to|references|sender|auto-submitted|precedence|feedback-id)$/i;

/** The headers that a sender adds, by name, as far as they leave the message what it is. */
export function customHeaders(given: Readonly<Record<string, string>>, encodeWord: EncodeWord) {
  const headers = Object.entries(given)
    .filter(([name]) => fieldName.test(name) && !reserved.test(name))
    .map(([key, value]) => ({
      key,
      value: structured.test(key) ? value : breakable(value, encodeWord),
    }));
  const spellings = new Map(headers.map(({ key }) => [key.toLowerCase(), key]));
  return {
    headers,
    /** The name as the sender writes it; other names as they are. */
    spelling: (name: string) => spellings.get(name.toLowerCase()) ?? name,
  };
}
