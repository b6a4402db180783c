import type { System } from '../../base/system/system.ts';
import type { Transport } from '../../base/system/wire.ts';
import { version } from '../../base/version.ts';
import { createClient } from '../../service/http/client.ts';
import { createPacing } from '../../service/http/pacing.ts';
import { candidatesOf } from './candidates.ts';
import type { AccountSource, Candidate } from './offer.ts';

/** A service, and the key for it. */
export interface Service {
  readonly transport: Transport;
  readonly baseUrl: string;
  readonly apiKey: string;
}

/** The longest wait for a service after TAB, in milliseconds: with the start of the program, less than 0.8 s. */
const patience = 500;

/** Asks a service, without retries or output. Throws typed errors. */
export async function fetchCandidates(
  source: AccountSource,
  { transport, baseUrl, apiKey }: Service,
  system: System,
  book?: string,
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
    guard: changesNothing,
    doubts: changesNothing,
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
  return await candidatesOf(source, client.call, book);
}

async function changesNothing(): Promise<never> {
  throw new TypeError('What completion asks for changes nothing.');
}
