import { asMeant, isAddressName } from '../text/column-names.ts';

/**
 * The column for a property in a file of contacts: its name, or `properties.NAME` if a column of that name
 * would be read as a field, such as `First Name`.
 */
export function columnOfProperty(name: string): string {
  const isField =
    isAddressName(name) || /^(?:firstname|lastname|subscribed|properties)$/.test(asMeant(name));
  const isChanged = name === '' || name.trim() !== name || name.startsWith('properties.');
  return isField || isChanged ? `properties.${name}` : name;
}
