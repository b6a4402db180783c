import type { NameOf } from './check.ts';

/** Where the fields of a request come from. */
export interface FieldSources {
  readonly defaults?: Readonly<Record<string, unknown>>;
  /** The object in `--file`. */
  readonly file: Readonly<Record<string, unknown>>;
  /** By field; undefined where the flag was not given. */
  readonly flags: Readonly<Record<string, unknown>>;
  readonly flagOf: Readonly<Record<string, string | undefined>>;
}

/**
 * The fields of a request, not checked yet, and what to call each in an error. A flag wins over
 * the same field of the file, that over a default.
 */
export function mergeFields({ defaults = {}, file, flags, flagOf }: FieldSources): {
  fields: Record<string, unknown>;
  nameOf: NameOf;
} {
  const given = Object.fromEntries(
    Object.entries(flags).filter(([, value]) => value !== undefined),
  );
  return {
    fields: { ...defaults, ...file, ...given },
    nameOf: (field) =>
      Object.hasOwn(file, field) && !Object.hasOwn(given, field)
        ? `--file: ${field}`
        : flagOf[field],
  };
}
