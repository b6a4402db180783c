import type { System } from '../../base/system/system.ts';
import type { AccountWords, Candidate, CandidateSource, ContractSource } from './offer.ts';
import { readStored } from './stored-config.ts';

const lastMade: Candidate = {
  value: '@last',
  description: 'the last one from this machine',
  second: true,
};

/** The candidates of a kind. Only those of an account need the network. */
export async function findCandidates(
  source: Exclude<CandidateSource, ContractSource | 'files'>,
  flags: AccountWords,
  system: System,
): Promise<readonly Candidate[]> {
  switch (source) {
    case 'profiles': {
      const { profiles } = readStored(system).config;
      return Object.entries(profiles).map(([value, { baseUrl = '' }]) => ({
        value,
        description: baseUrl,
      }));
    }
    case 'base URLs': {
      const { profiles } = readStored(system).config;
      return Object.entries(profiles).flatMap(([name, { baseUrl }]) =>
        baseUrl === undefined ? [] : [{ value: baseUrl, description: `profile ${name}` }],
      );
    }
    case 'time zones':
      return ['UTC', ...Intl.supportedValuesOf('timeZone')].map((value) => ({
        value,
        description: '',
      }));
    default: {
      const { findInAccount } = await import('./find-in-account.ts');
      const found = await findInAccount(source, flags, system);
      // Of these, no command stores the last one.
      return source === 'domains' || source === 'senders' ? found : [...found, lastMade];
    }
  }
}
