/** The part before the last `@` of a bare address. */
export function localPartOf(address: string): string {
  return address.slice(0, Math.max(0, address.lastIndexOf('@')));
}

/** The part after the last `@` of a bare address. */
export function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1);
}

/** Addresses as the API accepts them: one, several or none. */
export type Addresses = string | readonly string[] | undefined;

export function addressList(given: Addresses): string[] {
  if (given === undefined) return [];
  return typeof given === 'string' ? [given] : [...given];
}
