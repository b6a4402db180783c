/** A column in a template; a name that is not one word is in brackets and quotes. */
export function variable(column: string): string {
  return /^\w+$/.test(column) ? `{{ ${column} }}` : `{{ [${JSON.stringify(column)}] }}`;
}

/** A name without case, hyphens, underscores and blanks, which people use interchangeably. */
export function asMeant(name: string): string {
  return name.toLowerCase().replace(/[-_ ]/g, '');
}

const addressNames =
  /^(?:emails?(?:address(?:es)?)?|emailadres(?:se)?|adressee?mail|(?:direccionde)?correoelectronico|enderecodeemail|indirizzoemail)$/;

/** Whether a name is that of the email address, in English or in another language. */
export function isAddressName(name: string): boolean {
  return addressNames.test(asMeant(name).normalize('NFD').replace(/\p{M}/gu, ''));
}
