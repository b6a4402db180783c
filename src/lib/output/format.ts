import type { Settings } from '../account/config-types.ts';
import { UsageError } from '../errors.ts';

/** How a result is shown. `table` becomes tab-separated lines when stdout is no terminal. */
export type Format = 'table' | 'json' | 'jsonl' | 'csv' | 'quiet';

/** The flags that say how a result is shown. */
export interface OutputFlags {
  readonly json?: boolean;
  readonly jsonl?: boolean;
  readonly csv?: boolean;
  readonly csvSafe?: boolean;
  readonly fields?: readonly string[];
  readonly quiet?: boolean;
  /** False with `--no-header`. */
  readonly headerLine?: boolean;
}

/** Whether results and errors are JSON, for programs to read. */
export function isJson(format: Format): boolean {
  return format === 'json' || format === 'jsonl';
}

/** The format the flags ask for, else the profile's `output` setting, else a table. */
export function formatOf(flags: OutputFlags, settings: Settings = {}): Format {
  const csv = flags.csvSafe === true || flags.csv === true;
  const given = { ...flags, csv };
  const asked = (['json', 'jsonl', 'csv', 'quiet'] as const).filter((name) => given[name] === true);
  const [first, second] = asked;
  if (first !== undefined && second !== undefined) {
    const [one, other] = [first, second].map((name) => flagOf(name, flags));
    throw new UsageError(`${one} and ${other} cannot be used together`);
  }
  if (flags.headerLine === false && (first === 'json' || first === 'jsonl')) {
    throw new UsageError(`--no-header and --${first} cannot be used together`);
  }
  return first ?? (settings.output === 'json' ? 'json' : 'table');
}

/** The flag that asks for a format. */
export function flagOf(format: string, { csvSafe }: Pick<OutputFlags, 'csvSafe'>): string {
  return format === 'csv' && csvSafe === true ? '--csv-safe' : `--${format}`;
}
