import type { AccountFlags } from '../account/account.ts';
import type { System } from '../system/system.ts';

/** What an account has. */
export type AccountSource =
  | 'domains'
  | 'campaigns'
  | 'books'
  | 'contacts'
  | 'templates'
  | 'segments'
  | 'senders'
  | 'emails'
  | 'scheduled emails';

/** What of a command line decides about what an account has. */
export interface AccountWords extends AccountFlags {
  /** The contact book whose contacts are meant, by id or name. */
  readonly book?: string;
}

/** What is looked for when TAB is pressed. */
export type CandidateSource =
  | AccountSource
  | ContractSource
  | 'files'
  | 'profiles'
  | 'base URLs'
  | 'time zones';

/** What the contract with the service says: fields of a result, and methods and paths. */
export type ContractSource = 'fields' | 'endpoints';

/** What a person can choose from a list where it is left out. */
export type Choosable = ChoosableSource | OwnOffer;

export type ChoosableSource = Exclude<AccountSource, 'senders'> | 'profiles';

/** How a question for one thing of a kind reads. */
export interface ChoiceKind {
  /** One of them, as the question has it. */
  readonly one: string;
  readonly several: string;
  /** What to do when there are none. */
  readonly ifNone: string;
}

/** What the command itself knows of, over no network. */
export interface OwnOffer extends ChoiceKind {
  find(flags: AccountWords, system: System): Promise<readonly Candidate[]>;
}

/** What TAB offers for a value: these words, or what is found. */
export type Offer = readonly string[] | CandidateSource | OwnOffer;

/** Whether the command itself finds what is offered. */
export function isOwn(offer: Offer | undefined): offer is OwnOffer {
  return typeof offer === 'object' && 'find' in offer && !Array.isArray(offer);
}

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
  book: 'books',
  contact: 'contacts',
  template: 'templates',
  segment: 'segments',
};

/** What the name of a value says about it: `<path>` is a file, `<a|b>` is one of two words. */
export function offerNamed(valueName: string): Offer | undefined {
  return byName[valueName] ?? (valueName.includes('|') ? valueName.split('|') : undefined);
}

/** Whether there is a list to choose from for values with this offer. */
export function isChoosable(offer: Offer | undefined): offer is Choosable {
  const others: readonly CandidateSource[] = [
    ...(['senders', 'files', 'base URLs', 'time zones', 'fields', 'endpoints'] as const),
  ];
  return isOwn(offer) || (typeof offer === 'string' && !others.includes(offer));
}
