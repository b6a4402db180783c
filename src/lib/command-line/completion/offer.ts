import type { System } from '../../base/system/system.ts';
import type { AccountFlags } from '../../service/account/resolve-account.ts';

/** What an account can be asked for. */
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

/** The flags that select an account and what to list in it. */
export interface AccountWords extends AccountFlags {
  /** The contact book whose contacts are wanted, by id or name. */
  readonly book?: string;
}

/** Where the candidates for TAB come from. */
export type CandidateSource =
  | AccountSource
  | ContractSource
  | 'files'
  | 'profiles'
  | 'base URLs'
  | 'time zones';

/** Candidates from the contract with the service: fields of a result, methods and paths. */
export type ContractSource = 'fields' | 'endpoints';

/** What a person can choose from a list if the argument is missing. */
export type Choosable = ChoosableSource | OwnOffer;

export type ChoosableSource = Exclude<AccountSource, 'senders'> | 'profiles';

/** Candidates that the command itself knows, without the network, and the words of a question for one of them. */
export interface OwnOffer {
  /** Singular, as in the question. */
  readonly one: string;
  readonly several: string;
  /** What to do when there are none. */
  readonly ifNone: string;
  find(flags: AccountWords, system: System): Promise<readonly Candidate[]>;
}

/** What TAB offers for a value: fixed words, or candidates from a source. */
export type Offer = readonly string[] | CandidateSource | OwnOffer;

/** Whether the command itself finds the candidates. */
export function isOwn(offer: Offer | undefined): offer is OwnOffer {
  return typeof offer === 'object' && 'find' in offer && !Array.isArray(offer);
}

/** One thing that TAB offers. */
export interface Candidate {
  /** As the program expects it, without shell quotes. */
  readonly value: string;
  /** One line; empty if the value needs none. */
  readonly description: string;
  /** An alternative name, offered only once its beginning is typed. */
  readonly second?: boolean;
}

/** What TAB offers for values that are recognised by their name on the help page. */
export const namedOffers: Readonly<Record<string, CandidateSource>> = {
  file: 'files',
  path: 'files',
  domain: 'domains',
  campaign: 'campaigns',
  book: 'books',
  contact: 'contacts',
  template: 'templates',
  segment: 'segments',
};

/** Whether there is a list to choose from for values with this offer. */
export function isChoosable(offer: Offer | undefined): offer is Choosable {
  const others: readonly CandidateSource[] = [
    ...(['senders', 'files', 'base URLs', 'time zones', 'fields', 'endpoints'] as const),
  ];
  return isOwn(offer) || (typeof offer === 'string' && !others.includes(offer));
}
