import { recordsDirectory, sandboxDirectory } from '../../base/files/directories.ts';
import { UnreachablePlace } from '../../base/files/home-directory.ts';
import { parseDuration } from '../../base/input/duration.ts';
import { parseInteger } from '../../base/input/numbers.ts';
import type { System } from '../../base/system/system.ts';
import type { Transport } from '../../base/system/wire.ts';
import type { Notes } from '../../base/terminal/notes.ts';
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
import type { RequestLimits } from '../../service/http/client.ts';
import type { DayCount } from '../../service/policy/day-count.ts';
import type { PolicyInForce } from '../../service/policy/policy-guard.ts';
import { type CommonFlags, type CommonFlagUse, usualLimits } from './flags/common-flags.ts';
import { once } from './once.ts';

/** What a command tells about the account that it uses. */
export interface AccountUse extends CommonFlagUse {
  /** Whether it examines the configuration: nothing is repaired first, and no error prevents it. */
  readonly examines?: boolean;
  /** Whether it needs no account, so it runs even if the configuration is unreadable. */
  readonly withoutAccount?: boolean;
}

export interface CommandAccountOptions {
  readonly system: System;
  readonly flags: CommonFlags;
  readonly notes: Notes;
  readonly command: AccountUse;
}

/** The account of one command, and what is set for it. Each part is read when it is first needed. */
export class CommandAccount {
  readonly #options: CommandAccountOptions;

  constructor(options: CommandAccountOptions) {
    this.#options = options;
  }

  readonly configFile = once(async () => {
    const { openConfig } = await import('../../service/account/config/config.ts');
    const { system, notes } = this.#options;
    return openConfig({
      directory: configDirectory(system),
      user: system.user,
      accountHome: system.accountHome,
      warn: (text) => notes.warnOnce(text),
      now: system.now,
    });
  });

  readonly #config = once(async (): Promise<Config> => {
    const { system, flags, notes, command } = this.#options;
    if (command.examines === true) {
      const { inspectConfig } = await import('../../service/account/config/inspect.ts');
      return inspectConfig(system).config;
    }
    try {
      return await (await this.configFile()).read();
    } catch (error) {
      const withoutAccount = command.withoutAccount === true;
      const isInEnv = needsNoProfile(flags, system.env);
      const isOfSandbox = flags.sandbox === true && !isProfileNamed(flags, system.env);
      const isNeeded = !withoutAccount && !isInEnv && !isOfSandbox;
      if (!(error instanceof UnreachablePlace) || isNeeded) throw error;
      if (error instanceof UntrustedConfig && isInEnv && !withoutAccount) {
        notes.warn([error.message, error.details.hint].filter(Boolean).join(' '));
      }
      return emptyConfig;
    }
  });

  readonly sandbox = once(async () => {
    const { system } = this.#options;
    return await system.sandbox(sandboxDirectory(system), system.env.MAILER_API_KEY);
  });

  readonly account = once(async (): Promise<Account> => {
    const { system, flags, notes } = this.#options;
    if (flags.sandbox === true) return sandboxAccount(flags, await this.sandbox());
    return resolveAccount({
      flags,
      env: system.env,
      config: await this.#config(),
      runShell: (commandLine) => system.runShell(commandLine),
      warn: (text) => notes.warnOnce(text),
    });
  });

  readonly settings = once(async (): Promise<Settings> => {
    const { system, flags } = this.#options;
    const stored = await this.#config();
    return profileNamed(stored, profileName(flags, system.env, stored))?.settings ?? {};
  });

  readonly requestLimits = once(async (): Promise<RequestLimits> => {
    const { flags, command } = this.#options;
    const { defaults = usualLimits } = command;
    const { timeout, retries } = flags.sandbox === true ? {} : await this.settings();
    const given = flags.timeout ?? (timeout ? parseDuration('timeout')(timeout) : undefined);
    return {
      timeout: given ?? defaults.timeout,
      keyedTimeout: given === undefined ? defaults.keyedTimeout : undefined,
      retries:
        flags.retries ??
        (retries ? parseInteger('retries', { min: 0 })(retries) : defaults.retries),
    };
  });

  readonly policy = once(async (): Promise<PolicyInForce> => {
    const { system, flags } = this.#options;
    const [{ policyPlaces }, { policyOf }, lost] = await Promise.all([
      import('../../service/policy/places.ts'),
      import('../../service/policy/policy.ts'),
      import('../../service/account/config/lost-policy.ts'),
    ]);
    const isNamed = isProfileNamed(flags, system.env);
    const stored = await this.#config();
    // Only now: reading may have set a damaged file aside.
    lost.refuseLostPolicy(system);
    const name = profileName(flags, system.env, stored);
    const find = isNamed ? requireProfile : profileNamed;
    const profile = find(stored, name);
    lost.refuseStrayPolicy(stored, name);
    const places = await policyPlaces(system, { name, profile });
    return { policy: policyOf(places), profile: name };
  });

  readonly dayCount = once(async (): Promise<DayCount> => {
    const { system, flags } = this.#options;
    const [{ createDayCount }, now] = await Promise.all([
      import('../../service/policy/day-count.ts'),
      this.clock(),
    ]);
    const directory = recordsDirectory('mailed', { flags, system });
    return createDayCount({ directory, user: system.user, now });
  });

  readonly transport = once(async (): Promise<Transport> => {
    const { system, flags } = this.#options;
    if (flags.sandbox === true) return (await this.sandbox()).transport;
    return await system.network(system);
  });

  /** With `--sandbox`, the clock of the embedded service. */
  readonly clock = async (): Promise<() => number> => {
    const { system, flags } = this.#options;
    return flags.sandbox === true ? (await this.sandbox()).now : system.now;
  };

  async close(): Promise<void> {
    if (this.transport.called() || this.sandbox.called()) await (await this.transport()).close();
  }
}
