import { recordsDirectory } from '../../base/files/directories.ts';
import { parseChoice } from '../../base/input/choice.ts';
import type { WireReply } from '../../base/system/wire.ts';
import type { Progress } from '../../base/terminal/progress.ts';
import type { Prompts } from '../../base/terminal/prompts.ts';
import { version } from '../../base/version.ts';
import type { Client } from '../../service/http/client.ts';
import { unknownBaseUrl } from '../../service/http/dry-run.ts';
import { createPacing } from '../../service/http/pacing.ts';
import type { Guard } from '../../service/http/request-guard.ts';
import type { Trace } from '../../service/http/trace.ts';
import type { CommandLog } from '../log/command-log.ts';
import type { CommandAccount, CommandAccountOptions } from './command-account.ts';
import { once } from './once.ts';
import type { Word } from './word.ts';

/** What a command is run with that concerns its clients. */
export interface ClientUse extends CommandAccountOptions {
  readonly words: readonly Word[];
  readonly trace: Trace;
  /** Collects every key in use, to redact it from all output. */
  readonly secrets: Set<string>;
  /** Called for each writing request that the service accepted. */
  changed(): void;
  /** Keeps the log of this command, once it needs one. */
  readonly log: { command?: CommandLog | undefined };
}

interface CommandClientOptions extends ClientUse {
  readonly progress: Progress;
  readonly prompts: Prompts;
  readonly account: CommandAccount;
  report(text: string): boolean;
  onResponse(reply: WireReply): void;
  /** Now by the service's clock, as far as a response has shown it. */
  serviceNow(): number;
}

/** Makes the clients of one command: what they send passes the policy, and is in the log before it leaves. */
export class CommandClient {
  readonly #options: CommandClientOptions;
  /** Names by the ids that were found by them. */
  readonly names = new Map<string, string>();
  #expected: string | undefined;
  #tellRedirect: (() => void) | undefined;

  constructor(options: CommandClientOptions) {
    this.#options = options;
  }

  /** The client of the account in use. */
  readonly client = once(async (): Promise<Client> => {
    const { flags, account } = this.#options;
    const { baseUrl, service, key } = await account.account();
    const url = flags.dryRun === true ? (baseUrl ?? unknownBaseUrl) : service();
    return await this.open(url, key, { expect: flags.expect });
  });

  readonly #doubts = once(async () => {
    const { system, flags, notes, account, report } = this.#options;
    const [{ createDoubts }, { beginRecords }, now] = await Promise.all([
      import('./in-doubt/requests-in-doubt.ts'),
      import('./in-doubt/begun-records.ts'),
      account.clock(),
    ]);
    const records = () =>
      beginRecords(recordsDirectory('begun', { flags, system }), system.user, now);
    return createDoubts({ records, system, now, report, say: (text) => notes.say(text) });
  });

  /** Has what follows compared with an expected digest of all of it. */
  markExpected(digest: string | undefined): void {
    this.#expected = digest;
  }

  /** A client of any service. */
  async open(
    baseUrl: string,
    apiKey: () => Promise<string | undefined>,
    {
      dryRun = this.#options.flags.dryRun === true,
      expect,
    }: { dryRun?: boolean; expect?: string | undefined } = {},
  ): Promise<Client> {
    const { system, trace, secrets, progress, account, report, changed, onResponse } =
      this.#options;
    const [{ createClient }, { timeout, retries, keyedTimeout }] = await Promise.all([
      import('../../service/http/client.ts'),
      account.requestLimits(),
    ]);
    const pacing = createPacing();
    let keyInUse: string | undefined;
    return createClient({
      baseUrl,
      apiKey: async () => {
        const key = await apiKey();
        if (key !== undefined) secrets.add(key);
        keyInUse = key;
        return key;
      },
      userAgent: `mailer/${version}`,
      ...{ timeout, retries, keyedTimeout, dryRun, expect, changed, onResponse },
      // Of the client that sends, not of one that shows.
      planned: () => (dryRun ? undefined : this.#expected),
      names: this.names,
      uuid: () => system.uuid(),
      guard: once(async () => {
        const guard = await this.#guard(baseUrl);
        return dryRun ? guard : await this.#logged(guard, baseUrl, () => keyInUse);
      }),
      doubts: this.#doubts,
      tools: async () => ({
        transport: await account.transport(),
        ...{ pacing, system, trace },
        slow: (text) => report(text),
        waiting: (reason, ms, isAsked) => {
          const next = system.monotonic() + ms;
          const isShown = progress.update(() => {
            const left = Math.ceil((next - system.monotonic()) / 1000);
            return left > 0 ? `${reason} Retrying in ${left} s` : reason;
          });
          if (!isShown && isAsked) report(reason);
        },
      }),
    });
  }

  /** The log of this command; undefined if a setting turns it off. */
  async commandLog(): Promise<CommandLog | undefined> {
    const { system, flags, words, notes, account, log } = this.#options;
    const chosen = system.env.MAILER_LOG || (await account.settings().catch(() => undefined))?.log;
    if (chosen && parseChoice('MAILER_LOG', ['on', 'off'])(chosen) === 'off') return undefined;
    const [{ CommandLog }, { loggedLine }] = await Promise.all([
      import('../log/command-log.ts'),
      import('../log/logged-line.ts'),
    ]);
    const command = words.flatMap(({ text, kind }) => (kind === 'command' ? [text] : [])).join(' ');
    log.command ??= new CommandLog({
      directory: () => recordsDirectory('log', { flags, system }),
      system,
      command,
      ...loggedLine(words, system),
      // What cron and other programs hand over has nobody to read it: it would be mailed.
      warn: (text) => command === 'sendmail' || notes.warnOnce(text),
    });
    return log.command;
  }

  /** Says what was redirected, if the progress on the screen was in the way. */
  close(): void {
    if (this.#options.progress.enabled) this.#tellRedirect?.();
  }

  async #guard(baseUrl: string): Promise<Guard> {
    const { system, flags, prompts, account } = this.#options;
    const { createGuard } = await import('../../service/policy/policy-guard.ts');
    return createGuard({
      ...{ inForce: account.policy, dayCount: account.dayCount, baseUrl },
      agreed: (question) => prompts.agree(question),
      uuid: () => system.uuid(),
      redirects: (note, isByFile) => this.#redirects(note, isByFile),
      forApproval: flags.forApproval === true,
    });
  }

  /** Has requests written down before they leave, unless a setting turns that off. */
  async #logged(guard: Guard, baseUrl: string, key: () => string | undefined): Promise<Guard> {
    const log = await this.commandLog();
    if (log === undefined) return guard;
    const { account, serviceNow } = this.#options;
    const { profile } = await account.account();
    return log.guarded(guard, { profile, baseUrl, key, now: serviceNow() });
  }

  #redirects(note: string, isByFile: boolean): void {
    const { notes, progress } = this.#options;
    const tell = () => (isByFile ? notes.warn(note) : notes.say(note));
    if (this.#tellRedirect === undefined && !progress.enabled) tell();
    this.#tellRedirect = tell;
  }
}
