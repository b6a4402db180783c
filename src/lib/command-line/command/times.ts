import { assertTimeZone, type MachineZone, readMachineZone } from '../../base/input/time-zone.ts';
import type { System } from '../../base/system/system.ts';
import type { Settings } from '../../service/account/config/config-types.ts';
import type { CommonFlags } from './flags/common-flags.ts';
import { once } from './once.ts';

/** What a command that reads or shows times may use besides. */
export interface TimeContext {
  /** IANA name or offset: `--timezone`, else the setting, else `TZ`; undefined without these. */
  givenTimeZone(): Promise<string | undefined>;
  /** IANA name: the given one, else the system's. */
  timeZone(): Promise<string>;
  /** False if the zone is that of `TZ`, which is not understood; times are then shown in the system's zone. */
  knowsTimeZone(): Promise<boolean>;
  /** Whether local times show their offset from UTC, because the zone is not the system's. */
  namesOffsets(): Promise<boolean>;
  /** The clock for showing times. With `--sandbox`, the embedded service's clock. */
  clock(): Promise<() => number>;
  /** The service's clock, for times that somebody gave: see `createServiceClock`. */
  serviceClock(how: 'ask' | 'follow'): Promise<() => number>;
  /** Now by the service's clock, as far as a response has shown it. */
  serviceNow(): number;
}

interface TimesOptions extends Pick<TimeContext, 'clock' | 'serviceClock' | 'serviceNow'> {
  readonly flags: CommonFlags;
  readonly system: System;
  settings(): Promise<Settings>;
}

/** The time zone of a run, which is found when it is first asked for. */
export function createTimes({ flags, system, settings, ...clocks }: TimesOptions): TimeContext {
  const zoneInUse = once(async (): Promise<MachineZone> => {
    const { timezone: flag } = flags;
    const { timezone: setting } = flag === undefined ? await settings() : {};
    const variable = system.env.TZ ?? '';
    if (flag !== undefined) return { timeZone: assertTimeZone(flag, '--timezone') };
    if (setting) return { timeZone: assertTimeZone(setting, 'the setting timezone') };
    return variable === '' ? {} : readMachineZone(variable);
  });
  const givenTimeZone = async () => (await zoneInUse()).timeZone;
  return {
    givenTimeZone,
    timeZone: async () => (await givenTimeZone()) ?? system.timeZone,
    knowsTimeZone: async () => (await zoneInUse()).isUnknown !== true,
    namesOffsets: async () => {
      const { timeZone, isUnknown } = await zoneInUse();
      // Asking for the machine's zone takes as long as starting Node.
      return isUnknown === true || (timeZone !== undefined && timeZone !== system.timeZone);
    },
    ...clocks,
  };
}
