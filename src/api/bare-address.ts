/** The bare address of a mailbox, in lower case: `Ana <Ana@Example.com>` is `ana@example.com`. */
export function bareAddress(mailbox: string): string {
  const trimmed = mailbox.trim();
  const bare = trimmed.endsWith('>')
    ? trimmed.slice(trimmed.lastIndexOf('<') + 1, -1).trim()
    : trimmed;
  return bare.toLowerCase();
}
