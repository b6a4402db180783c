import { setTimeout } from 'node:timers/promises';
import type { SmtpCommand, SmtpFailure } from '../../mail/receive/smtp-commands.ts';
import { delayOf } from './delay-of.ts';
import type { Faults } from './faults.ts';

/** Uses up the faults of a command of SMTP. Resolves after their delays, to the failure if there is one. */
export async function smtpFailure(
  faults: Faults,
  command: SmtpCommand,
): Promise<SmtpFailure | undefined> {
  const taken = faults.take('SMTP', command);
  const delay = delayOf(taken);
  // A client that waits for it keeps the process running, not the timer.
  if (delay > 0) await setTimeout(delay, undefined, { ref: false });
  const fault = taken.find(({ effect }) => effect.kind !== 'delay');
  switch (fault?.effect.kind) {
    case 'status': {
      const { status } = fault.effect;
      const text = `${String(status)[0]}.0.0 The fault ${fault.text}`;
      return { kind: 'reply', code: status, text };
    }
    case 'drop':
    case 'drop-reply':
      return { kind: fault.effect.kind };
    default:
      return undefined;
  }
}
