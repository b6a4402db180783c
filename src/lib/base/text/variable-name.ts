import { type ShellSystem, shellQuote } from './shell-quote.ts';

/** Names that contact books cannot have as variables, because contacts have fields of these names. */
const fieldNames: readonly string[] = ['email', 'firstname', 'lastname'];

/** Whether a contact book can have a variable of this name. */
export function isBookVariable(name: string): boolean {
  return /^\w+$/.test(name) && !fieldNames.includes(name.toLowerCase());
}

/**
 * Whether a placeholder of a stored template can have this name. The service itself takes any name, but uses it as
 * a pattern: `Price (EUR)` matches nothing, and `C++` makes the request fail.
 */
export function isTemplateVariable(name: string): boolean {
  return /^[\p{L}\p{N}\p{M}_.-]+$/u.test(name);
}

/** What is wrong with the name of a variable, and a better one. */
export function aboutVariableName(name: string): string {
  const quoted = JSON.stringify(name);
  if (fieldNames.includes(name.toLowerCase())) {
    return `${quoted} is a field of each contact, not the name of a variable`;
  }
  const instead = plainName(name);
  const example = instead === undefined ? '' : `, such as ${instead}`;
  return `${quoted} cannot be the name of a variable; use letters, digits and _${example}`;
}

/** The flags that give columns names that variables can have. */
export function mapToVariables(columns: readonly string[], system: ShellSystem): string {
  const flags = columns.flatMap((column) => ['--map', `${plainName(column) ?? 'NAME'}=${column}`]);
  return shellQuote(flags, system);
}

/** The name in lower case and ASCII: `company_name` for `Company Name`. */
function plainName(name: string): string | undefined {
  const plain = name
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '');
  if (plain === '') return undefined;
  return fieldNames.includes(plain) ? `contact_${plain}` : plain;
}
