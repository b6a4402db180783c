import type { Address, Mailbox } from 'postal-mime';

/** Single mailboxes, including the members of groups. */
export function withoutGroups(addresses: readonly Address[] = []): Mailbox[] {
  return addresses.flatMap((one) => one.group ?? [one]);
}

/** Writes a mailbox for a header or a request, quoting any characters in its name. */
export function mailboxText({ name, address }: Pick<Mailbox, 'name' | 'address'>): string {
  const shown = oneLine(name).trim();
  if (shown === '') return address;
  const isPlain = /^[\p{L}\p{N}_ -]+$/u.test(shown);
  const written = isPlain ? shown : `"${shown.replace(/["\\]/g, '\\$&')}"`;
  return `${written} <${address}>`;
}

export function oneLine(text: string): string {
  return text.replace(/[\r\n\0]+/g, ' ');
}
