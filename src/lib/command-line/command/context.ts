import { withHint } from '../../base/errors.ts';
import { recordsDirectory, sandboxDirectory } from '../../base/files/directories.ts';
import { UnreachablePlace } from '../../base/files/home-directory.ts';
import { parseChoice } from '../../base/input/choice.ts';
import type { Encoding } from '../../base/input/decoder.ts';
import { parseDuration } from '../../base/input/duration.ts';
import { createInputFiles, type InputFiles } from '../../base/input/input-files.ts';
import { parseInteger } from '../../base/input/numbers.ts';
import type { EmbeddedService, System } from '../../base/system/system.ts';
import type { Transport } from '../../base/system/wire.ts';
import type { Notes } from '../../base/terminal/notes.ts';
import { createProgress, type Progress } from '../../base/terminal/progress.ts';
import { createPrompts, type Prompts } from '../../base/terminal/prompts.ts';
import { version } from '../../base/version.ts';
import type { ConfigFile } from '../../service/account/config/config.ts';
import { configDirectory } from '../../service/account/config/config-path.ts';
import {
  type Config,
  emptyConfig,
  type Settings,
} from '../../service/account/config/config-types.ts';
import { UntrustedConfig } from '../../service/account/config/untrusted.ts';
import {
  isProfileNamed,
  needsNoProfile,
  profileName,
  profileNamed,
  requireProfile,
} from '../../service/account/profiles.ts';
import { type Account, resolveAccount } from '../../service/account/resolve-account.ts';
import { sandboxAccount } from '../../service/account/sandbox-account.ts';
import type { Client } from '../../service/http/client.ts';
import { unknownBaseUrl } from '../../service/http/dry-run.ts';
import { createPacing } from '../../service/http/pacing.ts';
import { redact } from '../../service/http/redact.ts';
import type { Guard } from '../../service/http/request-guard.ts';
import type { Trace } from '../../service/http/trace.ts';
import type { DayCount } from '../../service/policy/day-count.ts';
import type { PolicyInForce } from '../../service/policy/policy-guard.ts';
import type { CommandLog } from '../log/command-log.ts';
import { type Format, isJson } from '../output/format.ts';
import type { CommandModel } from './command-model.ts';
import { type CommonFlags, type RequestLimits, usualLimits } from './flags/common-flags.ts';
import { once } from './once.ts';
import { createServiceClock } from './service-clock.ts';
import { createTimes, type TimeContext } from './times.ts';

/** A word of a command line. `end` is `--` and everything after it. */
export interface Word {
  readonly text: string;
  readonly kind: 'command' | 'flag' | 'value' | 'argument' | 'end';
}

/** What every command may use, also one that never calls the service. */
export interface LocalContext {
  readonly system: System;
  readonly flags: CommonFlags;
  /** The command line, without the program's name. */
  readonly words: readonly Word[];
  readonly notes: Notes;
  readonly prompts: Prompts;
  readonly progress: Progress;
  /**
   * Reports progress: `text` in the spinner if there is one; else `line`, unless it repeats the
   * last one. An empty line is not shown, but allows a repetition. With JSON and `--quiet`, no
   * lines are shown. Returns whether it wrote a line.
   */
  report(text: string, line?: string): boolean;
  readonly files: InputFiles;
  /** The format of the result, from the flags or the profile's settings. */
  format(): Format;
  configFile(): Promise<ConfigFile>;
  /** Settings of the profile in use. */
  settings(): Promise<Settings>;
  /** Everything that is known of the commands whose words begin with these; see `mailer commands`. */
  models(words: readonly string[]): Promise<readonly CommandModel[]>;
  /** Runs another line of this program with a system of its own, and returns its exit code. Throws nothing. */
  runLine(argv: readonly string[], system: System): Promise<number>;
}

/** What a command that calls the service may use besides. */
interface ServiceContext {
  account(): Promise<Account>;
  /** The limits of each request: from flags, settings, or the command's defaults, in that order. */
  requestLimits(): Promise<RequestLimits>;
  /** Who may be mailed. Throws a `UsageError` for invalid rules. */
  policy(): Promise<PolicyInForce>;
  /** How many recipients were mailed today. */
  dayCount(): Promise<DayCount>;
  /** The embedded service with `--sandbox`; undefined otherwise. */
  embedded(): Promise<EmbeddedService | undefined>;
  /**
   * Carries out one operation of the service. With `--dry-run`, a writing operation ends the
   * command.
   */
  readonly call: Client['call'];
  /** The same for one that mails or stores a message, which must have passed the gate. */
  readonly callPassed: Client['callPassed'];
  /** Sends any request to the service and returns its outcome: see `Client.send`. */
  readonly send: Client['send'];
  /** A client for other credentials than the account's, for `login`. */
  clientFor(credentials: Credentials, options?: { readonly dryRun: boolean }): Promise<Client>;
  /** Remembers that an id was found by its name, with which a dry run shows it: `--expect` takes the digest of either. */
  named(id: string, name: string): void;
  /** Takes all that the command is going to send as expected, by its digest. */
  planned(digest: string | undefined): void;
  /** Writes this command down in the log although no request of it leaves, unless a setting turns that off. */
  logged(): Promise<void>;
  /** A text from the service without the keys in use, to be written to one of our files. */
  redacted(text: string): string;
}

/** Everything a command may use. Each part is created when it is first needed. */
export interface Context extends LocalContext, TimeContext, ServiceContext {}

/** What the program does with a context around its command. */
interface RunningContext extends Context {
  /** The error to end the command with, explained by the service if it can. */
  explained(error: unknown): Promise<unknown>;
  /** Closes everything that was opened. */
  close(): Promise<void>;
}

/** Without a key, the request is sent all the same; even a rejection is a response. */
interface Credentials {
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
}

interface ContextOptions {
  readonly system: System;
  readonly flags: CommonFlags;
  readonly words: readonly Word[];
  readonly notes: Notes;
  readonly format: () => Format;
  /** Whether the command only examines the configuration. */
  readonly examines: boolean;
  /** Whether the command is about an account of the service. */
  readonly usesService: boolean;
  /** Whether an unreadable configuration counts as none. */
  readonly withoutAccount: boolean;
  /** This command line with `--encoding`; undefined if the command does not take it. */
  readonly lineWithEncoding: Encoding['lineWith'];
  /** The limits of requests without flags and settings. */
  readonly defaults?: RequestLimits | undefined;
  readonly trace: Trace;
  /** Collects every key in use, to redact it from all output. */
  readonly secrets: Set<string>;
  readonly models: Context['models'];
  readonly runLine: Context['runLine'];
  /** Called for each writing request that the service accepted. */
  readonly changed: () => void;
  /** Keeps the log of this command, once it needs one. */
  readonly log: { command?: CommandLog | undefined };
  /** By how much the service's clock is ahead, in milliseconds, if that is known. */
  readonly ahead: number | undefined;
}

/** The context of one run. Does not open or read anything yet. */
export function createContext(options: ContextOptions): RunningContext {
  const { system, flags, words, notes, trace, secrets } = options;
  const progress = createProgress(
    () => system.stderr,
    isLively(system) && flags.quiet !== true && flags.debug !== true,
    system.spinnerDelay,
  );
  let lastReported = '';
  let hasChanged = false;
  const report: Context['report'] = (text, line = text) => {
    if (progress.update(text) || line === lastReported) return false;
    lastReported = line;
    if (line === '' || isJson(options.format())) return false;
    notes.say(line);
    return true;
  };
  const configFile = once(async () => {
    const { openConfig } = await import('../../service/account/config/config.ts');
    const warn = (text: string) => notes.warnOnce(text);
    return openConfig({
      directory: configDirectory(system),
      user: system.user,
      accountHome: system.accountHome,
      warn,
      now: system.now,
    });
  });
  const config = once(async (): Promise<Config> => {
    if (options.examines) {
      const { inspectConfig } = await import('../../service/account/config/inspect.ts');
      return inspectConfig(system).config;
    }
    try {
      return await (await configFile()).read();
    } catch (error) {
      const isNeeded = !options.withoutAccount && !needsNoProfile(flags, system.env);
      if (!(error instanceof UnreachablePlace) || isNeeded) throw error;
      if (error instanceof UntrustedConfig && !options.withoutAccount) {
        notes.warn([error.message, error.details.hint].filter(Boolean).join(' '));
      }
      return emptyConfig;
    }
  });
  const sandbox = once(
    async () => await system.sandbox(sandboxDirectory(system), system.env.MAILER_API_KEY),
  );
  const account = once(async (): Promise<Account> => {
    if (flags.sandbox === true) return sandboxAccount(flags, await sandbox());
    return resolveAccount({
      flags,
      env: system.env,
      config: await config(),
      runShell: (commandLine) => system.runShell(commandLine),
      warn: (text) => notes.warnOnce(text),
    });
  });
  const settings = once(async (): Promise<Settings> => {
    const stored = await configIfNeeded(isProfileNamed(flags, system.env));
    return profileNamed(stored, profileName(flags, system.env, stored))?.settings ?? {};
  });
  const requestLimits = once(async (): Promise<RequestLimits> => {
    const { timeout, retries } = flags.sandbox === true ? {} : await settings();
    const { defaults = usualLimits } = options;
    const given = flags.timeout ?? (timeout ? parseDuration('timeout')(timeout) : undefined);
    return {
      timeout: given ?? defaults.timeout,
      keyedTimeout: given === undefined ? defaults.keyedTimeout : undefined,
      retries:
        flags.retries ??
        (retries ? parseInteger('retries', { min: 0 })(retries) : defaults.retries),
    };
  });
  const policy = once(async (): Promise<PolicyInForce> => {
    const [{ policyPlaces }, { policyOf }, lost] = await Promise.all([
      import('../../service/policy/places.ts'),
      import('../../service/policy/policy.ts'),
      import('../../service/account/config/lost-policy.ts'),
    ]);
    const isNamed = isProfileNamed(flags, system.env);
    const stored = await configIfNeeded(isNamed);
    // Only now: reading may have set a damaged file aside.
    lost.refuseLostPolicy(system);
    const name = profileName(flags, system.env, stored);
    const find = isNamed ? requireProfile : profileNamed;
    const profile = find(stored, name);
    lost.refuseStrayPolicy(stored, name);
    const places = await policyPlaces(system, { name, profile });
    return { policy: policyOf(places), profile: name };
  });
  /** The sandbox needs no configuration, so one that cannot be reached is empty, if no profile is named. */
  const configIfNeeded = async (isNamed: boolean): Promise<Config> => {
    try {
      return await config();
    } catch (error) {
      const isNeeded = flags.sandbox !== true || isNamed;
      if (!isNeeded && error instanceof UnreachablePlace) return emptyConfig;
      throw error;
    }
  };
  const dayCount = once(async (): Promise<DayCount> => {
    const [{ createDayCount }, now] = await Promise.all([
      import('../../service/policy/day-count.ts'),
      clock(),
    ]);
    const directory = recordsDirectory('mailed', { flags, system });
    return createDayCount({ directory, user: system.user, now });
  });
  const transport = once(async (): Promise<Transport> => {
    if (flags.sandbox === true) return (await sandbox()).transport;
    return await system.network(system);
  });

  const clock = async () => (flags.sandbox === true ? (await sandbox()).now : system.now);

  const doubts = once(async () => {
    const [{ createDoubts }, { beginRecords }, now] = await Promise.all([
      import('./in-doubt/requests-in-doubt.ts'),
      import('./in-doubt/begun-records.ts'),
      clock(),
    ]);
    const records = () =>
      beginRecords(recordsDirectory('begun', { flags, system }), system.user, now);
    return createDoubts({ records, system, now, report, say: (text) => notes.say(text) });
  });

  let tellRedirect: (() => void) | undefined;
  const redirects = (note: string, isByFile: boolean) => {
    const tell = () => (isByFile ? notes.warn(note) : notes.say(note));
    if (tellRedirect === undefined && !progress.enabled) tell();
    tellRedirect = tell;
  };

  const prompts = createPrompts({
    ...{ system, progress, flags },
    account: async (decides) => await accountAsked(decides),
  });

  /** Has requests written down before they leave, unless a setting turns that off. */
  const logged = async (
    guard: Guard,
    baseUrl: string,
    key: () => string | undefined,
  ): Promise<Guard> => {
    const log = await commandLog();
    if (log === undefined) return guard;
    const { profile } = await account();
    return log.guarded(guard, { profile, baseUrl, key, now: times.serviceNow() });
  };

  const commandLog = async (): Promise<CommandLog | undefined> => {
    const chosen = system.env.MAILER_LOG || (await settings().catch(() => undefined))?.log;
    if (chosen && parseChoice('MAILER_LOG', ['on', 'off'])(chosen) === 'off') return undefined;
    const [{ CommandLog }, { loggedLine }] = await Promise.all([
      import('../log/command-log.ts'),
      import('../log/logged-line.ts'),
    ]);
    const command = words.flatMap(({ text, kind }) => (kind === 'command' ? [text] : [])).join(' ');
    options.log.command ??= new CommandLog({
      directory: () => recordsDirectory('log', { flags, system }),
      system,
      command,
      ...loggedLine(words, system),
      // What cron and other programs hand over has nobody to read it: it would be mailed.
      warn: (text) => command === 'sendmail' || notes.warnOnce(text),
    });
    return options.log.command;
  };

  const openClient = async (
    baseUrl: string,
    apiKey: () => Promise<string | undefined>,
    {
      dryRun = flags.dryRun === true,
      expect,
    }: { dryRun?: boolean; expect?: string | undefined } = {},
  ): Promise<Client> => {
    const [{ createClient }, { timeout, retries, keyedTimeout }] = await Promise.all([
      import('../../service/http/client.ts'),
      requestLimits(),
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
      timeout,
      retries,
      keyedTimeout,
      dryRun,
      expect,
      // Of the client that sends, not of one that shows.
      planned: () => (dryRun ? undefined : planned),
      names,
      changed: () => {
        hasChanged = true;
        options.changed();
      },
      onResponse: (reply) => {
        if (flags.sandbox !== true) serviceClock.onResponse(reply, system.now());
      },
      uuid: () => system.uuid(),
      guard: once(async () => {
        const { createGuard } = await import('../../service/policy/policy-guard.ts');
        const uuid = () => system.uuid();
        const agreed = (question: string) => prompts.agree(question);
        const forApproval = flags.forApproval === true;
        const guard = createGuard({
          ...{ inForce: policy, agreed, baseUrl, dayCount, uuid, redirects, forApproval },
        });
        return dryRun ? guard : await logged(guard, baseUrl, () => keyInUse);
      }),
      doubts,
      tools: async () => ({
        transport: await transport(),
        pacing,
        system,
        trace,
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
  };
  let planned: string | undefined;
  const names = new Map<string, string>();
  const client = once(async (): Promise<Client> => {
    const { baseUrl, service, key } = await account();
    const url = flags.dryRun === true ? (baseUrl ?? unknownBaseUrl) : service();
    return await openClient(url, key, { expect: flags.expect });
  });

  const accountAsked = async (decides: boolean): Promise<string | undefined> => {
    if (!account.called() && !(decides && options.usesService)) return undefined;
    if (flags.sandbox === true) return 'the sandbox';
    const { profile, baseUrl, keySource } = await account();
    if (baseUrl === undefined) return undefined;
    const name = keySource === 'MAILER_API_KEY' ? keySource : profile;
    return `${name} at ${new URL(baseUrl).host}`;
  };

  const withClient = async <Value>(work: (client: Client) => Promise<Value>): Promise<Value> => {
    const ready = await client();
    return await progress.during('Waiting for the service', () => work(ready));
  };

  const sendsNothing = words.some(
    ({ kind, text }) => kind === 'flag' && /^--(?:dry-run|preview)(?:=|$)/.test(text),
  );
  const serviceClock = createServiceClock({
    here: clock,
    notes,
    ahead: options.ahead,
    ask:
      flags.sandbox === true || sendsNothing
        ? undefined
        : async () => {
            const { hearService } = await import('../../service/http/hear-service.ts');
            await withClient((client) => hearService(client, { method: 'HEAD' })).catch(
              (error: unknown) => {
                throw withHint(error, ({ details: { hint } }) =>
                  ['Nothing was sent.', hint].filter(Boolean).join(' '),
                );
              },
            );
          },
    timeZone: () => times.timeZone(),
  });
  const times = createTimes({
    ...{ flags, system, settings, clock },
    serviceClock: serviceClock.now,
    serviceNow: () => system.now() + serviceClock.ahead(),
  });

  return {
    system,
    flags,
    words,
    notes,
    progress,
    report,
    format: options.format,
    models: options.models,
    runLine: options.runLine,
    prompts,
    files: createInputFiles(system, report, {
      label: flags.encoding,
      lineWith: options.lineWithEncoding,
    }),
    configFile,
    account,
    settings,
    requestLimits,
    ...times,
    embedded: async () => (flags.sandbox === true ? await sandbox() : undefined),
    policy,
    dayCount,
    call: (id, input, options) => withClient((client) => client.call(id, input, options)),
    callPassed: (passed, id, input, options) =>
      withClient((client) => client.callPassed(passed, id, input, options)),
    send: (request, read, options) => withClient((client) => client.send(request, read, options)),
    clientFor: ({ baseUrl, apiKey }, options) => openClient(baseUrl, async () => apiKey, options),
    named: (id, name) => void names.set(id, name),
    planned: (digest) => {
      planned = digest;
    },
    logged: async () => {
      const { profile, baseUrl = unknownBaseUrl } = await account();
      const known = { profile, baseUrl, key: () => undefined, now: times.serviceNow() };
      (await commandLog())?.begin(known);
    },
    redacted: (text) => redact(text, secrets),
    explained: async (error) => {
      if (!client.called()) return error;
      const { explain } = await import('./explain.ts');
      return await explain(error, { account, client, flags, system, hasChanged });
    },
    close: async () => {
      progress.stop();
      // Earlier, it would be written into the progress on the screen.
      if (progress.enabled) tellRedirect?.();
      if (transport.called() || sandbox.called()) await (await transport()).close();
    },
  };
}

/** Whether stderr is a terminal that may show moving output. */
function isLively({ stderrIsTerminal, env }: System): boolean {
  return stderrIsTerminal && env.TERM !== 'dumb' && (env.CI ?? '') === '';
}
