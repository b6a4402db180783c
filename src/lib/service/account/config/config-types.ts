import type { SettingName } from '../setting-names.ts';

export type Settings = Partial<Record<SettingName, string>>;

/** One account on one service, with at most one of `apiKey` and `keyCommand`. */
export interface Profile {
  /** Without trailing slash and version, such as `https://mail.example.com/api`. */
  readonly baseUrl?: string;
  readonly apiKey?: string;
  /** A shell command line whose output is the key. */
  readonly keyCommand?: string;
  /** Whether the key may go over plain http to a host that is not loopback. */
  readonly allowHttp?: boolean;
  readonly settings?: Settings;
  /**
   * `PolicyRules`, checked where they are used. If the file's own check covered them, a damaged rule would
   * set the whole file aside, and so disable all rules.
   */
  readonly policy?: unknown;
}

/** Keys that this version does not know are kept, at every level. */
export interface Config {
  readonly currentProfile: string;
  readonly profiles: Readonly<Record<string, Profile>>;
}

export const emptyConfig: Config = { currentProfile: 'default', profiles: {} };
