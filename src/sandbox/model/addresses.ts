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
