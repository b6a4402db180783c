/** The bare address of a mailbox in lower case: `Ana <Ana@Example.com>` becomes `ana@example.com`. */
export function bareAddress(mailbox: string): string {
  return addressAsWritten(mailbox).toLowerCase();
}

/** The bare address of a mailbox, with its case as written. */
export function addressAsWritten(mailbox: string): string {
  const trimmed = mailbox.trim();
  return trimmed.endsWith('>') ? trimmed.slice(trimmed.lastIndexOf('<') + 1, -1).trim() : trimmed;
}
