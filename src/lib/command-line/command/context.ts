import { withHint } from '../../base/errors.ts';
import { createInputFiles, type InputFiles } from '../../base/input/input-files.ts';
import type { EmbeddedService, System } from '../../base/system/system.ts';
import type { Notes } from '../../base/terminal/notes.ts';
import { createProgress, type Progress } from '../../base/terminal/progress.ts';
import { createPrompts, type Prompts } from '../../base/terminal/prompts.ts';
import type { ConfigFile } from '../../service/account/config/config.ts';
import type { Settings } from '../../service/account/config/config-types.ts';
import type { Account } from '../../service/account/resolve-account.ts';
import type { Client, RequestLimits } from '../../service/http/client.ts';
import { unknownBaseUrl } from '../../service/http/dry-run.ts';
import { redact } from '../../service/http/redact.ts';
import type { DayCount } from '../../service/policy/day-count.ts';
import type { PolicyInForce } from '../../service/policy/policy-guard.ts';
import { type Format, isJson } from '../output/format.ts';
import { CommandAccount } from './command-account.ts';
import { type ClientUse, CommandClient } from './command-client.ts';
import type { CommandModel } from './command-model.ts';
import type { CommonFlags } from './flags/common-flags.ts';
import { sameCommand } from './repeat-command.ts';
import { createServiceClock } from './service-clock.ts';
import { createTimes, type TimeContext } from './times.ts';
import type { Word } from './word.ts';

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

/** What a command that calls the service may use besides. With `--dry-run`, a writing operation ends the command. */
interface ServiceContext extends Pick<Client, 'call' | 'callPassed' | 'send'> {
  account(): Promise<Account>;
  /** The limits of each request: from flags, settings, or the command's defaults, in that order. */
  requestLimits(): Promise<RequestLimits>;
  /** Who may be mailed. Throws a `UsageError` for invalid rules. */
  policy(): Promise<PolicyInForce>;
  /** How many recipients were mailed today. */
  dayCount(): Promise<DayCount>;
  /** The embedded service with `--sandbox`; undefined otherwise. */
  embedded(): Promise<EmbeddedService | undefined>;
  /** A client for other credentials than the account's, for `login`. */
  clientFor(credentials: Credentials, options?: { readonly dryRun: boolean }): Promise<Client>;
  /** Names by the ids that were found by them. A dry run shows the name, so `--expect` takes the digest with either. */
  readonly names: Map<string, string>;
  /** Takes all that the command is going to send as expected, by its digest. */
  markExpected(digest: string | undefined): void;
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

interface ContextOptions extends ClientUse {
  readonly format: () => Format;
  readonly models: Context['models'];
  readonly runLine: Context['runLine'];
  /** By how much the service's clock is ahead, in milliseconds, if that is known. */
  readonly ahead: number | undefined;
}

/** The context of one run. Does not open or read anything yet. */
export function createContext(options: ContextOptions): RunningContext {
  const { system, flags, words, notes, secrets } = options;
  const { takes = [] } = options.command;
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
  const commandAccount = new CommandAccount(options);
  const { account, settings, clock, configFile, requestLimits, policy, dayCount } = commandAccount;
  const accountAsked = async (decides: boolean): Promise<string | undefined> => {
    if (!account.called() && !(decides && takes.includes('service'))) return undefined;
    if (flags.sandbox === true) return 'the sandbox';
    const { profile, baseUrl, keySource } = await account();
    if (baseUrl === undefined) return undefined;
    const name = keySource === 'MAILER_API_KEY' ? keySource : profile;
    return `${name} at ${new URL(baseUrl).host}`;
  };
  const prompts = createPrompts({ ...{ system, progress, flags }, account: accountAsked });
  const commandClient = new CommandClient({
    ...{ ...options, progress, prompts, report, account: commandAccount },
    changed: () => {
      hasChanged = true;
      options.changed();
    },
    onResponse: (reply) => {
      if (flags.sandbox !== true) serviceClock.onResponse(reply, system.now());
    },
    serviceNow: () => times.serviceNow(),
  });
  const withClient = async <Value>(work: (client: Client) => Promise<Value>): Promise<Value> => {
    const ready = await commandClient.client();
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
    ...{ system, flags, words, notes, progress, report, prompts },
    format: options.format,
    models: options.models,
    runLine: options.runLine,
    files: createInputFiles(system, report, {
      label: flags.encoding,
      lineWith: takes.includes('files')
        ? (label) => sameCommand({ words, system }, ['--encoding'], ['--encoding', label])
        : undefined,
    }),
    ...{ account, settings, configFile, requestLimits, policy, dayCount },
    ...times,
    embedded: async () => (flags.sandbox === true ? await commandAccount.sandbox() : undefined),
    call: (id, input, options) => withClient((client) => client.call(id, input, options)),
    callPassed: (passed, id, input, options) =>
      withClient((client) => client.callPassed(passed, id, input, options)),
    send: (request, read, options) => withClient((client) => client.send(request, read, options)),
    clientFor: ({ baseUrl, apiKey }, options) =>
      commandClient.open(baseUrl, async () => apiKey, options),
    names: commandClient.names,
    markExpected: (digest) => commandClient.markExpected(digest),
    logged: async () => {
      const { profile, baseUrl = unknownBaseUrl } = await account();
      const known = { profile, baseUrl, key: () => undefined, now: times.serviceNow() };
      (await commandClient.commandLog())?.begin(known);
    },
    redacted: (text) => redact(text, secrets),
    explained: async (error) => {
      const { client } = commandClient;
      if (!client.called()) return error;
      const { explain } = await import('./explain.ts');
      return await explain(error, { account, client, flags, system, hasChanged });
    },
    close: async () => {
      progress.stop();
      // Earlier, it would be written into the progress on the screen.
      commandClient.close();
      await commandAccount.close();
    },
  };
}

/** Whether stderr is a terminal that may show moving output. */
function isLively({ stderrIsTerminal, env }: System): boolean {
  return stderrIsTerminal && env.TERM !== 'dumb' && (env.CI ?? '') === '';
}
