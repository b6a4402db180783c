import type { Settings } from './config.ts';

/** Where a value came from, in words for `whoami`: `--base-url`, `MAILER_API_KEY`, `profile work`. */
export type Source = string;

/** Which service, which key, which settings: the outcome of flags, environment and profile. */
export interface Account {
  /** The profile's name, or undefined with `--sandbox`. */
  readonly profile: string | undefined;
  /** Without trailing slash and version. */
  readonly baseUrl: string | undefined;
  readonly baseUrlSource: Source | undefined;
  readonly keySource: Source | undefined;
  readonly settings: Settings;
  /**
   * The key; runs the key command when there is one, once. Throws an `AuthError` when there is no
   * key, or when it must not go to `baseUrl`.
   */
  key(): Promise<string>;
  /** The base URL; throws a `UsageError` when there is none. */
  service(): string;
}
