import { grouped, quantity } from '../../../base/text/quantity.ts';
import { visible } from '../../../base/text/visible.ts';

/** Numbers of emails of a run by state. */
export interface Counts {
  readonly ready: number;
  /** Without a response, or with a short one. */
  readonly begun: number;
  readonly accepted: number;
  readonly refused: number;
  readonly unknown: number;
}

/** Whether nothing is left to send. Unknown emails are sent again only on request. */
export function isComplete({ ready, begun }: Counts): boolean {
  return ready === 0 && begun === 0;
}

/** Whether the service has accepted nothing of the run, for certain. */
export function isUnsent({ accepted, begun, unknown }: Counts): boolean {
  return accepted + begun + unknown === 0;
}

/** How many emails of a run are accepted, and how many may be. */
export function howFar(
  { accepted, begun }: Pick<Counts, 'accepted' | 'begun'>,
  { emails, redirect }: { readonly emails: number; readonly redirect?: string | undefined },
  soFar = '',
): string {
  const done = `${grouped(accepted)} of ${quantity(emails, 'email')} ${emails === 1 ? 'is' : 'are'}`;
  const open = begun === 0 ? '' : `, ${grouped(begun)} have no response yet`;
  const to = redirect === undefined ? '' : ` (redirected to ${visible(redirect)})`;
  return `${done} accepted${soFar}${to}${open}`;
}

/** Who gets the emails of a run, if that is not their recipients. */
export function redirectedTo(redirect: string | undefined): string {
  return redirect === undefined ? '' : `, redirected to ${visible(redirect)}`;
}
