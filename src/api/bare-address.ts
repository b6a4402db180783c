/** The bare address of a mailbox, in lower case: `Ana <Ana@Example.com>` is `ana@example.com`. */
export function bareAddress(mailbox: string): string {
  return addressAsWritten(mailbox).toLowerCase();
}

/** The bare address of a mailbox, upper and lower case as they are written. */
export function addressAsWritten(mailbox: string): string {
  const trimmed = mailbox.trim();
  return trimmed.endsWith('>') ? trimmed.slice(trimmed.lastIndexOf('<') + 1, -1).trim() : trimmed;
}
