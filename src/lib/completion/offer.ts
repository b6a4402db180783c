import type { AccountFlags } from '../account/account.ts';
import type { System } from '../system/system.ts';

/** What an account has. */
export type AccountSource = 'domains' | 'campaigns' | 'emails' | 'scheduled emails';

/** What is looked for when TAB is pressed. */
export type CandidateSource = AccountSource | 'files' | 'profiles' | 'base URLs' | 'time zones';

/** Finds what the command itself knows of, over no network. */
export type Finder = (flags: AccountFlags, system: System) => Promise<readonly Candidate[]>;

/** What TAB offers for a value: these words, or what is found. */
export type Offer = readonly string[] | CandidateSource | Finder;

/** One thing that TAB offers. */
export interface Candidate {
  /** As the program wants to have it, without quotes. */
  readonly value: string;
  /** One line; empty when the value says it all. */
  readonly description: string;
  /** Whether it is offered only to those who have begun to type it: a second name of a thing. */
  readonly second?: boolean;
}

/** Values whose name on the help page says what they are. */
const byName: Readonly<Record<string, CandidateSource>> = {
  file: 'files',
  path: 'files',
  domain: 'domains',
  campaign: 'campaigns',
};

/** What the name of a value says about it: `<path>` is a file, `<a|b>` is one of two words. */
export function offerNamed(valueName: string): Offer | undefined {
  return byName[valueName] ?? (valueName.includes('|') ? valueName.split('|') : undefined);
}
