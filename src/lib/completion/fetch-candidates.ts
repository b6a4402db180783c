import type { CampaignSummary } from '../../api/campaign.ts';
import type { EmailListItem } from '../../api/email.ts';
import { createClient } from '../http/client.ts';
import { createPacing } from '../http/pacing.ts';
import type { System } from '../system/system.ts';
import type { Transport } from '../system/wire.ts';
import { visible } from '../text/visible.ts';
import { version } from '../version.ts';
import type { AccountSource, Candidate } from './offer.ts';

/** A service, and the key for it. */
export interface Service {
  readonly transport: Transport;
  readonly baseUrl: string;
  readonly apiKey: string;
}

/** How long somebody who pressed TAB waits for a service at most, in milliseconds. */
const patience = 1500;

/** Asks a service, once, and says nothing. Throws the typed error of what went wrong. */
export async function fetchCandidates(
  source: AccountSource,
  { transport, baseUrl, apiKey }: Service,
  system: System,
): Promise<Candidate[]> {
  const signal = AbortSignal.any([system.signal, AbortSignal.timeout(patience)]);
  const client = createClient({
    baseUrl,
    apiKey: async () => apiKey,
    userAgent: `mailer/${version}`,
    timeout: patience,
    retries: 0,
    dryRun: false,
    uuid: () => system.uuid(),
    tools: async () => ({
      transport,
      pacing: createPacing(),
      system: {
        now: () => system.now(),
        monotonic: () => system.monotonic(),
        sleep: (ms, until) => system.sleep(ms, until),
        random: () => system.random(),
        signal,
      },
      trace: () => {},
      waiting: () => {},
    }),
  });
  switch (source) {
    case 'domains':
      return (await client.call('domain.list', {})).flatMap(({ id, name, status }) => [
        { value: name, description: status ?? '' },
        { value: String(id), description: name, second: true },
      ]);
    case 'campaigns':
      return campaignCandidates((await client.call('campaign.list', { query: {} })).campaigns);
    case 'emails':
      return (await client.call('email.list', { query: {} })).data.map(emailCandidate);
    case 'scheduled emails':
      return (
        (await client.call('email.list', { query: {} })).data
          // One server does not show it in the list.
          .filter(({ latestStatus }) => (latestStatus ?? 'SCHEDULED') === 'SCHEDULED')
          .map(emailCandidate)
      );
  }
}

/** The names of campaigns, and their ids: first for those whose name cannot be typed. */
function campaignCandidates(campaigns: readonly CampaignSummary[]): Candidate[] {
  return campaigns.flatMap(({ id, name, status }) => {
    const text = name ?? '';
    const isClear =
      text.trim() !== '' &&
      visible(text) === text &&
      !text.startsWith('-') &&
      campaigns.every((other) => other.id === id || other.name !== name);
    const state = status ?? '';
    return isClear
      ? [
          { value: text, description: state },
          { value: id, description: text, second: true },
        ]
      : [{ value: id, description: [text, state].filter(Boolean).join(', ') }];
  });
}

function emailCandidate({ id, subject, to, latestStatus }: EmailListItem): Candidate {
  const recipients = [to ?? []].flat().join(', ');
  return {
    value: id,
    description: [subject, recipients, latestStatus].filter(Boolean).join('; '),
  };
}
