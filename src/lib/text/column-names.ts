/** A column in a template; a name that is not one word is in brackets and quotes. */
export function variable(column: string): string {
  return /^\w+$/.test(column) ? `{{ ${column} }}` : `{{ [${JSON.stringify(column)}] }}`;
}

/** A name without case, hyphens, underscores and blanks, which people use interchangeably. */
export function asMeant(name: string): string {
  return name.toLowerCase().replace(/[-_ ]/g, '');
}
