import emailAddresses from 'email-addresses';

/**
 * Whether `value` is one RFC 5322 mailbox: `ana@example.com` or `"Ana, B" <ana@example.com>`,
 * with UTF-8 as in RFC 6532. Groups, lists and anything with a line break are not.
 */
export function isMailbox(value: string): boolean {
  if (/[\p{Cc}]/u.test(value)) return false;
  const parsed = emailAddresses.parseOneAddress({ input: value, rfc6532: true, strict: true });
  return parsed?.type === 'mailbox';
}
