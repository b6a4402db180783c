import { bareAddress } from '../../../api/bare-address.ts';
import { attempt } from '../../../shared/attempt.ts';
import { UnreachablePlace } from '../../base/files/home-directory.ts';
import type { System } from '../../base/system/system.ts';
import { bodyText } from '../../base/system/wire.ts';
import { visible } from '../../base/text/visible.ts';
import type { AnyRequest } from '../../service/http/build-request.ts';
import type { Guard } from '../../service/http/request-guard.ts';
import type { LogEntry } from './log-shapes.ts';
import { LogStore } from './log-store.ts';

/** The account that a command uses, and the time by the clock of the service if that is known. */
export interface LoggedAccount {
  readonly profile: string | undefined;
  readonly baseUrl: string;
  readonly now: number;
}

interface CommandLogOptions {
  /** Throws if another user owns it. */
  readonly directory: () => string;
  readonly system: Pick<System, 'user' | 'userName' | 'hostName' | 'cwd' | 'now'>;
  /** The words of the command, and its line as it may be kept. */
  readonly command: string;
  readonly line: string;
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
        this.#try((entry) =>
          this.#opened().leaves(entry, this.#effect, addressesIn(approved.request)),
        );
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
    const { directory, system } = this.#options;
    this.#store ??= new LogStore({
      directory: directory(),
      user: system.user,
      now: () => system.now(),
    });
    return this.#store;
  }

  #strengthen(effect: LogEntry['effect']): void {
    if (effects.indexOf(effect) > effects.indexOf(this.#effect)) this.#effect = effect;
  }

  /** Writes the command down, if it is not yet. */
  begin({ profile, baseUrl, now }: LoggedAccount): void {
    if (this.#entry !== undefined || this.#isBroken) return;
    const { system, command, line } = this.#options;
    this.#entry = 0;
    this.#try(() => {
      this.#entry = this.#opened().begin({
        ...{ at: new Date(now).toISOString(), command, line, effect: this.#effect, baseUrl },
        profile: profile ?? null,
        user: system.userName ?? null,
        host: system.hostName,
        directory: system.cwd,
      });
    });
  }

  #try(work: (entry: number) => void): void {
    if (this.#entry === undefined || this.#isBroken) return;
    try {
      work(this.#entry);
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
