import { bareAddress } from '../../../api/bare-address.ts';
import { attempt } from '../../../shared/attempt.ts';
import { UnreachablePlace } from '../../base/files/home-directory.ts';
import type { System } from '../../base/system/system.ts';
import { bodyText } from '../../base/system/wire.ts';
import { visible } from '../../base/text/visible.ts';
import type { AnyRequest } from '../../service/http/build-request.ts';
import { digestOfAll, requestDigest } from '../../service/http/request-digest.ts';
import type { Guard } from '../../service/http/request-guard.ts';
import { classify } from '../../service/policy/mailing.ts';
import type { LogEntry } from './log-shapes.ts';
import { type BegunEntry, isDamagedLog, LogStore } from './log-store.ts';
import { accountName } from './remember-team.ts';

/** The account that a command uses, and the time by the clock of the service if that is known. */
export interface LoggedAccount {
  readonly profile: string | undefined;
  readonly baseUrl: string;
  readonly now: number;
  /** The key in use, once it is known. */
  readonly key: () => string | undefined;
}

interface CommandLogOptions {
  /** Throws if another user owns it. */
  readonly directory: () => string;
  readonly system: Pick<System, 'user' | 'userName' | 'hostName' | 'cwd' | 'now'>;
  /** The words of the command, and its line as it may be kept. */
  readonly command: string;
  readonly line: string;
  /** The addresses among the words. */
  readonly addresses: readonly string[];
  readonly warn: (text: string) => unknown;
}

/** What a command says of itself when it ends. */
export interface CommandEnd {
  readonly ids?: readonly string[] | undefined;
  readonly run?: string | undefined;
}

/** From the weakest to the strongest. */
const effects: readonly LogEntry['effect'][] = ['changes', 'mails', 'deletes'];

/**
 * Writes down one command, before the first of its requests leaves that does more than read, and how it ends. A log that
 * cannot be written is a warning: it never fails or delays a command.
 */
export class CommandLog {
  readonly #options: CommandLogOptions;
  #store: LogStore | undefined;
  #entry: number | undefined;
  #effect: LogEntry['effect'] = 'changes';
  #isBroken = false;
  #begun: BegunEntry | undefined;
  /** Of everything that has left, and the last of it. */
  readonly #all = digestOfAll();
  #last: string | undefined;

  constructor(options: CommandLogOptions) {
    this.#options = options;
  }

  /** A guard that writes down each request which it lets pass. */
  guarded(guard: Guard, account: LoggedAccount): Guard {
    return async (departure) => {
      if (departure.showOnly) return await guard(departure);
      const { effect } = departure;
      if (effect !== 'reads') this.#strengthen(effect);
      this.begin(account);
      const approved = await guard(departure);
      const reserve = () => {
        const settle = approved.reserve();
        const { request } = approved;
        const { contacts = mayStart(request) ? null : 0, digest = digestOf(request, account) } =
          departure;
        const leaving = {
          ...{ effect: this.#effect, addresses: addressesIn(request), contacts },
          digest: this.#digestWith(digest),
          account: accountName(account.baseUrl, account.key()),
        };
        this.#try((entry) => this.#opened().leaves(entry, leaving));
        return settle;
      };
      return { ...approved, reserve };
    };
  }

  /** Writes down how the command has ended, if a request was to leave. */
  end(exitCode: number, { ids = [], run }: CommandEnd): void {
    this.#try((entry) => this.#opened().end(entry, { exitCode, ids, run }));
    attempt(() => this.#store?.close(), undefined);
  }

  #opened(): LogStore {
    const { directory, system, warn } = this.#options;
    this.#store ??= new LogStore({
      directory: directory(),
      user: system.user,
      now: () => system.now(),
      warn,
    });
    return this.#store;
  }

  /** The digest of everything that has left. Requests that are parts of a whole have its digest, which counts once. */
  #digestWith(last: string): string {
    if (this.#last !== last) this.#all.add(last);
    this.#last = last;
    return this.#all.end() ?? last;
  }

  #strengthen(effect: LogEntry['effect']): void {
    if (effects.indexOf(effect) > effects.indexOf(this.#effect)) this.#effect = effect;
  }

  /** Writes the command down, if it is not yet. */
  begin({ profile, baseUrl, now }: LoggedAccount): void {
    if (this.#entry !== undefined || this.#isBroken) return;
    const { system, command, line, addresses } = this.#options;
    this.#begun = {
      ...{ at: new Date(now).toISOString(), command, line, effect: this.#effect, baseUrl },
      addresses: addresses.map(bareAddress),
      profile: profile ?? null,
      user: system.userName ?? null,
      host: system.hostName,
      directory: system.cwd,
    };
    this.#entry = 0;
    this.#try(() => {});
  }

  #try(work: (entry: number) => void): void {
    if (this.#entry === undefined || this.#isBroken) return;
    const begun = this.#begun;
    const tryOnce = () => {
      if (this.#entry === 0 && begun !== undefined) this.#entry = this.#opened().begin(begun);
      work(this.#entry ?? 0);
    };
    try {
      try {
        tryOnce();
      } catch (error) {
        if (!isDamagedLog(error)) throw error;
        // Damage beyond the first page shows only here.
        this.#store?.setAside();
        this.#entry = 0;
        tryOnce();
      }
    } catch (error) {
      this.#isBroken = true;
      // Where there is no place for what is recorded, those who need one say so.
      if (error instanceof UnreachablePlace) return;
      const reason = error instanceof Error ? error.message : String(error);
      this.#options.warn(
        `This command is not in the log, because its file cannot be used: ${visible(reason)}`,
      );
    }
  }
}

/** Whether a request starts a campaign, which goes to people it does not name. */
function mayStart(request: AnyRequest): boolean {
  return classify(request).kind === 'campaign start';
}

function digestOf({ method, path, body }: AnyRequest, { baseUrl }: LoggedAccount): string {
  const url = new URL(baseUrl + path);
  return requestDigest({ method, url, ...(body === undefined ? {} : { body }) });
}

/** The addresses of the people that a request is about. */
function addressesIn({ body }: AnyRequest): readonly string[] {
  const value: unknown = attempt(() => JSON.parse(bodyText(body ?? '')), undefined);
  const all: unknown[] = Array.isArray(value) ? value : [value];
  return all.flatMap((one) => {
    if (typeof one !== 'object' || one === null) return [];
    // Emails have the first three, contacts and events the last one.
    const { to, cc, bcc, email } = one as Readonly<Record<string, unknown>>;
    const mailboxes = [to, cc, bcc, email].flat().filter((mailbox) => typeof mailbox === 'string');
    return mailboxes.map(bareAddress);
  });
}
