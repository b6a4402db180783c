/** The bare address of a mailbox, in lower case: `Ana <Ana@Example.com>` is `ana@example.com`. */
export function addressOf(mailbox: string): string {
  const trimmed = mailbox.trim();
  const bare = trimmed.endsWith('>')
    ? trimmed.slice(trimmed.lastIndexOf('<') + 1, -1).trim()
    : trimmed;
  return bare.toLowerCase();
}

/** What stands before the last `@` of a bare address. */
export function localPartOf(address: string): string {
  return address.slice(0, Math.max(0, address.lastIndexOf('@')));
}

/** What stands after the last `@` of a bare address. */
export function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1);
}

/** Addresses as the API takes them, one or several or none, as an array. */
export function addressList(given: string | readonly string[] | undefined): string[] {
  if (given === undefined) return [];
  return typeof given === 'string' ? [given] : [...given];
}
