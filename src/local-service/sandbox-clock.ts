import { formatInstant } from '../lib/base/text/local-time.ts';
import { clockInWords, duration } from '../lib/base/text/time-in-words.ts';
import type { Context } from '../lib/command-line/command/context.ts';
import { timeGiven } from '../lib/command-line/command/flags/scheduled-time.ts';

/** English such as `now` is read as the next whole second, and people are not shown fractions of one. */
const precision = 1000;

/** How many milliseconds a clock set to the time of `--clock` is ahead; negative for a past time. */
export async function clockFlag(
  text: string | undefined,
  context: Context,
): Promise<number | undefined> {
  if (text === undefined) return undefined;
  const { date } = await timeGiven(text, context, { flag: '--clock', allowPast: true });
  const ahead = date.getTime() - context.system.now();
  return Math.abs(ahead) <= precision ? 0 : ahead;
}

/** The sandbox's clock, as shown to people, in milliseconds. */
export interface SandboxClock {
  /** How far it is ahead of the real clock; negative when behind. */
  readonly ahead: number;
  /** How far it has just been moved. */
  readonly moved: number;
  /** Whether the user has just asked for this time. */
  readonly wanted: boolean;
}

/** Shows the time of the sandbox, unless it is the real time. */
export async function tellClock(
  { ahead, moved, wanted }: SandboxClock,
  context: Context,
): Promise<void> {
  const { notes, system } = context;
  if (moved < 0) {
    notes.warn(
      `Its clock was set back by ${duration(-moved)}. Stored data keeps its dates. To start over, add --reset.`,
    );
  }
  if (ahead === 0) return;
  const now = Math.floor((system.now() + ahead) / precision) * precision;
  const time = formatInstant(new Date(now), await context.timeZone());
  const said = `Its clock is ${clockInWords(ahead)}: ${time}.`;
  if (wanted) notes.say(said);
  else notes.warn(`${said} To correct it: start --clock now`);
}
