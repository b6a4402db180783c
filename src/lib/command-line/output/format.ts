import { UsageError } from '../../base/errors.ts';
import type { Settings } from '../../service/account/config/config-types.ts';

/** The format of a result. `table` becomes tab-separated lines unless stdout is a terminal. */
export type Format = 'table' | 'json' | 'jsonl' | 'csv' | 'quiet';

/** The flags that choose a format. */
export interface OutputFlags {
  readonly json?: boolean;
  /** A jq expression, which also asks for JSON. */
  readonly jq?: string;
  readonly jsonl?: boolean;
  readonly csv?: boolean;
  readonly csvSafe?: boolean;
  readonly fields?: readonly string[];
  readonly quiet?: boolean;
  /** False with `--no-header`. */
  readonly headerLine?: boolean;
}

/** Whether results and errors are JSON, for programs. */
export function isJson(format: Format): boolean {
  return format === 'json' || format === 'jsonl';
}

/** The format that the flags ask for; else the profile's `output` setting; else a table. */
export function formatOf(flags: OutputFlags, settings: Settings = {}): Format {
  const csv = flags.csvSafe === true || flags.csv === true;
  const given = { ...flags, csv };
  const asked = (['json', 'jsonl', 'csv', 'quiet'] as const).filter((name) => given[name] === true);
  const [first, second] = asked;
  if (first !== undefined && second !== undefined) {
    throw cannotBoth(flagOf(first, flags), flagOf(second, flags));
  }
  const filtersJson = flags.jq !== undefined;
  if (filtersJson && (first === 'csv' || first === 'quiet')) {
    throw cannotBoth('--jq', flagOf(first, flags), first === 'csv' ? csvByJq : undefined);
  }
  if (flags.headerLine === false && (filtersJson || first === 'json' || first === 'jsonl')) {
    throw cannotBoth('--no-header', filtersJson ? '--jq' : `--${first}`);
  }
  return first ?? (filtersJson || settings.output === 'json' ? 'json' : 'table');
}

const csvByJq =
  "jq makes CSV itself: --jsonl --jq '[.id, .subject] | @csv'. To choose columns: --csv --fields id,subject.";

function cannotBoth(one: string, other: string, hint?: string): UsageError {
  return new UsageError(`${one} and ${other} cannot be used together`, hint ? { hint } : {});
}

/** The flag that asks for a format. */
export function flagOf(format: string, { csvSafe }: Pick<OutputFlags, 'csvSafe'>): string {
  return format === 'csv' && csvSafe === true ? '--csv-safe' : `--${format}`;
}
