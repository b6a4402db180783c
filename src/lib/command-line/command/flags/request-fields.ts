import { UsageError } from '../../../base/errors.ts';
import { defined } from '../../../base/json/defined.ts';
import { quotedNames } from '../../../base/text/quoted-names.ts';

/** Where the fields of a request come from. */
interface FieldSources {
  readonly defaults?: Readonly<Record<string, unknown>>;
  /** Fields in the front matter of a text, and its name. */
  readonly front?: { readonly fields: Readonly<Record<string, unknown>>; readonly name: string };
  /** The object in `--file`. */
  readonly file: Readonly<Record<string, unknown>>;
  /** The flag that names the file. Default: `--file`. */
  readonly fileFlag?: string | undefined;
  /** Every field that the request may have; undefined if its flag was not given. */
  readonly flags: Readonly<Record<string, unknown>>;
  readonly flagOf: Readonly<Record<string, string | undefined>>;
}

/**
 * Merges the fields of a request: a flag wins over the file, the file over front matter, that over a default.
 * Throws a `UsageError` for unknown fields of the file first, because they may be misspelt required ones.
 */
export function mergeFields({
  defaults = {},
  front = { fields: {}, name: '' },
  file,
  fileFlag = '--file',
  flags,
  flagOf,
}: FieldSources) {
  refuseUnknown(file, flags);
  const given = defined(flags);
  const stated = { ...front.fields, ...file, ...given };
  return {
    /** Not checked yet. */
    fields: { ...defaults, ...stated },
    /** The fields with a default, because nothing else gives them. */
    defaulted: Object.keys(defaults).filter((field) => !Object.hasOwn(stated, field)),
    /** The name of each in errors. */
    nameOf(field: string): string | undefined {
      if (Object.hasOwn(given, field)) return flagOf[field];
      if (Object.hasOwn(file, field)) return `${fileFlag}: ${field}`;
      return Object.hasOwn(front.fields, field) ? `${front.name}: ${field}` : flagOf[field];
    },
  };
}

function refuseUnknown(file: FieldSources['file'], known: FieldSources['flags']): void {
  const unknown = Object.keys(file).filter((field) => !Object.hasOwn(known, field));
  if (unknown.length === 0) return;
  throw new UsageError(`--file: unknown field ${quotedNames(unknown)}`, {
    hint: `Fields: ${Object.keys(known).join(', ')}`,
  });
}
