import { bareAddress } from '../api/bare-address.ts';
import { withAccounts } from './accounts.ts';
import { createApp } from './app.ts';
import {
  type ArrivalWait,
  inVain,
  type WantedMail,
  waitForArrivals,
} from './arrivals/wait-for-arrivals.ts';
import { createDeliverer } from './calls/deliver.ts';
import { sentCallOf } from './calls/request-of.ts';
import { fixtureZones } from './dns/fixture-zones.ts';
import { readZones } from './dns/zones.ts';
import type { Fault } from './http/faults/fault.ts';
import { createFaults } from './http/faults/faults.ts';
import { smtpFailure } from './http/faults/smtp-failure.ts';
import { createSpeech, type Language } from './http/language.ts';
import { requestFollower } from './http/logged-requests.ts';
import { adjustableRateLimit } from './http/rate-limit.ts';
import { createRequestLog } from './http/request-log.ts';
import type { Refused } from './http/serve.ts';
import type { SmtpUrl } from './mail/deliver/smtp-url.ts';
import type { ReceivedEmail } from './mail/receive/parse-message.ts';
import type { SmtpCommand } from './mail/receive/smtp-commands.ts';
import { domainOf } from './model/addresses.ts';
import { advance } from './model/advance.ts';
import { type AccountName, keyOf, pagesOf } from './model/api-account.ts';
import { catchUp } from './model/catch-up.ts';
import { clockOffset, moveClock, sandboxClock } from './model/clock.ts';
import { lookUpInSandbox } from './model/dns.ts';
import { domainIdOf, noDomain } from './model/domains.ts';
import { countDeliveries, endSmtpDelivery } from './model/email/deliveries.ts';
import { storeEmail } from './model/email/emails.ts';
import { iso } from './model/iso.ts';
import {
  addCall,
  addWebhook,
  findCall,
  listWebhooks,
  loggedCalls,
  type NewWebhook,
  removeTemporaryWebhooks,
  removeWebhook,
} from './model/webhooks.ts';
import {
  accountDirectory,
  accountNames,
  deleteAccount,
  namesOfAnyVersion,
} from './seeds/accounts.ts';
import {
  type DataOptions,
  databasePath,
  deleteData,
  emptyData,
  goneFrom,
  OtherVersion,
  openStore,
  resetData,
} from './seeds/data.ts';
import { exportPieces } from './seeds/export.ts';
import type { Seed } from './seeds/seed-file.ts';
import { type SeedCounts, storeSeed } from './seeds/seed-store.ts';
import { isDamage } from './store/storage-failure.ts';
import type { Store } from './store/store.ts';

export interface SandboxOptions extends DataOptions {
  /** Requests per second; no limit by default. */
  readonly rateLimit?: number | undefined;
  /** The initial faults; none by default. */
  readonly faults?: readonly Fault[];
  /** The language of messages; English by default. */
  readonly language?: Language | undefined;
  /**
   * Awaited by each send that carries an idempotency key, after the key is claimed and before the
   * email is stored: the processing time of the service. None by default.
   */
  readonly processing?: () => Promise<void>;
  /** The origin of links in mail; by default that of the request. */
  readonly linkOrigin?: string | undefined;
  /** Gets internal failures, one line each. */
  readonly log?: (line: string) => void;
  /** Gets recoveries from failures, one line each. */
  readonly say?: (line: string) => void;
  /** The first endpoints of webhooks, for as long as it is open; by default those of the last server stay. */
  readonly webhooks?: readonly NewWebhook[] | undefined;
  /** Called for each test account before its first use. */
  readonly opened?: (account: SandboxAccount) => Promise<void>;
}

/** The sandbox is its own account, and has test accounts, which share nothing with it. */
export interface Sandbox extends SandboxAccount {
  /** The account whose key this is, for as long as the data is not reset; undefined for other keys. */
  account(key: string): Promise<SandboxAccount | undefined>;
}

/** The origin of links without a server, as with `--sandbox`. */
const originUnserved = 'http://sandbox.localhost';

/**
 * Opens the sandbox whose data is in `directory`, and creates it with the example data on first
 * use. Any number of processes may have it open. Throws `SandboxUnavailable`.
 */
export function openSandbox(options: SandboxOptions): Sandbox {
  const { directory, opened = async () => {}, log = () => {} } = options;
  const accounts = () => accountNames(directory);
  const own = openAccount({ ...options, accounts, account: undefined });
  const open = (name: string) =>
    openAccount({
      ...options,
      accounts,
      account: name,
      directory: accountDirectory(directory, name),
    });
  return { ...own, ...withAccounts({ directory, own, open, opened, log }) };
}

interface AccountOptions extends SandboxOptions {
  readonly account: AccountName;
  /** The names of all test accounts of the sandbox. */
  readonly accounts: () => readonly string[];
}

export type SandboxAccount = ReturnType<typeof openAccount>;

/** An account of the sandbox: its data, and the service over it. */
function openAccount(options: AccountOptions) {
  const { account, accounts } = options;
  const path = databasePath(options.directory);
  const store = openStore(options);
  const isGone = goneFrom(path);
  const clock = sandboxClock(store, options.now);
  const clockMoved = putClock(store, options.ahead);
  const advanceBy = (by: number, carryOut: () => void | Promise<void>) =>
    advance({ store, real: options.now, by, carryOut });
  const { log = () => {}, say = () => {}, webhooks } = options;
  if (webhooks !== undefined) store.write(() => renewWebhooks(store, webhooks, clock()));
  const sentCall = (id: string) => {
    const call = findCall(store, id);
    return call && sentCallOf(call);
  };
  let lookUpFixed: ReturnType<typeof readZones> | undefined;
  let deliverer: ReturnType<typeof createDeliverer> | undefined;
  const record = createRequestLog(store, log);
  const faults = createFaults(options.faults);
  const app = createApp({
    store,
    clock,
    account,
    accounts,
    advance: async (by, origin) => {
      const from = `${origin}${pagesOf(account)}`;
      const advanced = await advanceBy(by, () => catchUp(store, clock(), from, log));
      await deliverer?.settled();
      return advanced;
    },
    reset: () => resetData(store, options),
    startOver: () => {
      resetData(store, options);
      store.write(() => renewWebhooks(store, webhooks ?? [], clock()));
    },
    faults,
    rateLimit: adjustableRateLimit(options.rateLimit, options.now),
    speech: createSpeech(options.language),
    processing: options.processing,
    linkOrigin: options.linkOrigin,
    log,
    record,
  });
  return {
    /**
     * The service, with its API under `/api` of any origin. Rejects with `ConnectionLost` if a fault
     * closes the connection.
     */
    fetch: app.fetch,
    /** Records a request to the API that `serve` rejected. */
    refused: async (refused: Refused) => {
      try {
        const { pathname } = new URL(refused.request.url);
        if (!/^\/api(\/|$)/.test(pathname)) return;
        const at = clock();
        await record({ ...refused, laterHeaders: {}, answered: true, at, milliseconds: 0 });
      } catch {
        // The request is rejected even so.
      }
    },
    /** Runs due jobs, as every request does first. By default, links in mail do not work. */
    catchUp: (origin = originUnserved) =>
      catchUp(store, clock(), `${origin}${pagesOf(account)}`, log),
    /** How a command of SMTP is to fail; see `smtpFailure`. */
    smtpFailure: (command: SmtpCommand) => smtpFailure(faults, command),
    /** Sends an email that came over SMTP, from any domain, and returns its id. */
    receive: (email: ReceivedEmail) =>
      store.write(() => {
        const domainId = domainIdOf(store, domainOf(bareAddress(email.from))) ?? noDomain;
        return storeEmail(store, { ...email, domainId }, clock());
      }),
    /** Waits for messages; see `waitForArrivals`. The second value says what was missing. */
    waitFor: async (wanted: WantedMail, how: Omit<ArrivalWait, 'account'>) => {
      const arrivals = await waitForArrivals(store, wanted, { ...how, account });
      return [arrivals, inVain(store, wanted, { ...how, total: arrivals.total })] as const;
    },
    /** Returns a function that returns the requests since its last call. */
    followRequests: () => requestFollower(store),
    /**
     * Looks up a name in the DNS of the sandbox's domains and the fixture zones: at a resolver, or at a name server of
     * these zones.
     */
    lookUp: (name: string, type: string, server?: string) => {
      lookUpFixed ??= readZones(fixtureZones);
      const fixed = lookUpFixed(name, type, server);
      if (fixed?.kind === 'found') return fixed;
      const own = lookUpInSandbox(store, name, type);
      return own.kind === 'found' || fixed === undefined ? own : fixed;
    },
    /** The sandbox's clock: milliseconds since 1970. */
    now: clock,
    /** How many milliseconds the sandbox's clock is ahead of the real one; negative when behind. */
    ahead: () => clockOffset(store),
    /** By how many milliseconds opening it moved its clock. */
    clockMoved,
    /** Advances the clock by milliseconds, more than 0; `carryOut` runs the due jobs. See `advance`. */
    advance: advanceBy,
    /** From now on, sends the mail of all processes that share this data to an SMTP server. */
    deliverBySmtp: async (server: SmtpUrl) => {
      const { startSmtpDelivery } = await import('./mail/deliver/delivery.ts');
      return await startSmtpDelivery({ store, clock, server, log, say });
    },
    /** How many emails wait for an SMTP server. */
    waiting: () => countDeliveries(store),
    /** Simulates the delivery of new mail. Returns how many emails wait for an SMTP server. */
    deliverByItself: () =>
      store.write(() => {
        endSmtpDelivery(store);
        return countDeliveries(store);
      }),
    /** The endpoints of webhooks. */
    webhooks: () => listWebhooks(store),
    /** The last calls, at most `limit`, newest first. */
    webhookCalls: (limit: number) => loggedCalls(store, limit),
    /** A call as it was last sent; undefined if there is none with this id. */
    sentCall,
    /** The last of these, at most `limit`, newest first. */
    sentCalls: (limit: number) => loggedCalls(store, limit).flatMap(({ id }) => sentCall(id) ?? []),
    /** Adds an endpoint, in place of one with this URL, and returns its id. With `test`, it gets a `webhook.test`. */
    addWebhook: (webhook: NewWebhook, { test = false }: { test?: boolean | undefined } = {}) =>
      store.write(() => {
        const now = clock();
        const id = addWebhook(store, webhook, now);
        const data = { test: true, webhookId: id, sentAt: iso(now) };
        if (test) addCall(store, id, { type: 'webhook.test', data }, now);
        return id;
      }),
    /** Whether there was one. */
    removeWebhook: (id: string) => store.write(() => removeWebhook(store, id)),
    /** Removes the endpoints that a server had for as long as it ran. */
    removeTemporaryWebhooks: () => store.write(() => removeTemporaryWebhooks(store)),
    /** Starts to send calls in this process. */
    callWebhooks: () => {
      deliverer = createDeliverer({ store, clock, real: options.now, log });
      return deliverer;
    },
    /** Whether its data was deleted while it was open. */
    isGone,
    close: store.close,
    /** Undefined for the sandbox's own account. */
    name: account,
    /** The path of the database file. */
    path,
    apiKey: keyOf(account),
  };
}

/**
 * Replaces all data of the sandbox with `fresh`, without test accounts, even if its file is damaged or of another version. Processes that have it open see
 * the new data from their next request on, and continue to send mail to their SMTP server. The clock is
 * `ahead` of the real one, or shows the real time. Returns the counts of stored seeds. Throws
 * `SandboxUnavailable` or `InvalidSeed`; then nothing has changed.
 */
export function resetSandbox(options: DataOptions): SeedCounts {
  const counts = resetOwn(options);
  resetAccounts(options, namesOfAnyVersion(options.directory));
  return counts;
}

function resetOwn(options: DataOptions): SeedCounts {
  const reset = () => withStore(options, (store) => resetData(store, options));
  try {
    return reset();
  } catch (error) {
    const isOther = error instanceof OtherVersion;
    if (!isDamage(error) && !isOther) throw error;
    // What a newer mailer has beside a damaged file is its own.
    (isOther ? deleteData : emptyData)(options.directory);
    return reset();
  }
}

/** Deletes test accounts, by default all of this version, which are made again at their next use. */
export function resetAccounts(
  options: DataOptions,
  names: readonly string[] = accountNames(options.directory),
): void {
  const { directory } = options;
  for (const name of names) {
    try {
      deleteAccount(directory, name);
    } catch {
      // Windows keeps files that a running sandbox has open.
      const where = { ...options, directory: accountDirectory(directory, name) };
      withStore(where, (store) => resetData(store, where));
    }
  }
}

/** Adds seeds to the sandbox in `directory`. Throws as `resetSandbox` does. */
export function seedSandbox(options: DataOptions, seeds: Seed): SeedCounts {
  return withStore(options, (store) =>
    store.write(() =>
      storeSeed(store, seeds, options.now() + (options.ahead ?? clockOffset(store))),
    ),
  );
}

/** All data as a seed file, in pieces created on demand. The first piece may throw `SandboxUnavailable`. */
export function* exportSandbox(options: DataOptions): Generator<string> {
  const store = openStore(options);
  try {
    catchUp(store, sandboxClock(store, options.now)(), originUnserved, () => {});
    yield* exportPieces(store);
  } finally {
    store.close();
  }
}

function withStore<Value>(options: DataOptions, work: (store: Store) => Value): Value {
  const store = openStore(options);
  try {
    return work(store);
  } finally {
    store.close();
  }
}

/** Replaces the endpoints that a server has for as long as it runs. Call it in a transaction. */
function renewWebhooks(store: Store, webhooks: readonly NewWebhook[], now: number): void {
  removeTemporaryWebhooks(store);
  for (const webhook of webhooks) addWebhook(store, webhook, now);
}

/** Sets how far the clock is ahead, if given, and returns how many milliseconds it moved. */
function putClock(store: Store, ahead: number | undefined): number {
  if (ahead === undefined || ahead === clockOffset(store)) return 0;
  return store.write(() => {
    const by = ahead - clockOffset(store);
    moveClock(store, by);
    return by;
  });
}
