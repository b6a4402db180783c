import { PolicyError } from '../../../base/errors.ts';
import { visible } from '../../../base/text/visible.ts';
import type { Context } from '../../../command-line/command/context.ts';
import { refuseTooMany } from '../../../command-line/command/refuse-too-many.ts';
import { needsApproval } from '../../../command-line/outbox/prepare.ts';
import { createAudience } from '../../../service/policy/audience.ts';
import { emailUnder } from '../../../service/policy/email-under.ts';
import type { Policy } from '../../../service/policy/policy.ts';
import { allRecipients } from '../../../service/policy/redirect.ts';
import { whyApproval } from '../../../service/policy/refusal.ts';
import type { RunHeader } from '../journal/run-header.ts';
import type { OpenRun } from '../journal/run-store.ts';
import { emailsOf } from './part-emails.ts';

/** The states of requests that are made ready again before a run is resumed. */
export type Reopened = ReadonlySet<'refused' | 'unknown'>;

/**
 * Throws a `PolicyError` if the policy became stricter since a run was prepared, as far as that can be told
 * before it is resumed: each request is checked again before it is sent.
 */
export async function refuseByPolicy(
  context: Pick<Context, 'policy' | 'dayCount' | 'flags' | 'system'>,
  run: OpenRun,
  { isApproved, reopened }: { readonly isApproved: boolean; readonly reopened: Reopened },
): Promise<void> {
  const { header } = run;
  const { policy } = await context.policy();
  const { allowTo, denyTo, allowFrom, maxRecipients, maxPerDay, approval } = policy;
  if ([allowTo, denyTo, allowFrom, maxRecipients, maxPerDay, approval].flat().length > 0) {
    const { ready, begun, audience } = recipientsLeft(run, policy, reopened);
    const refusal = isApproved ? undefined : whyApproval(policy, audience);
    if (refusal !== undefined) throw needsApproval(context, refusal);
    // What was begun counts once under its key: it was counted, unless the process was killed just then.
    await refuseTooMany(context, ready + begun, ready);
  }
  refuseOtherRedirect(policy, header);
}

/** Throws a `PolicyError` if the emails of a run were prepared under another redirect. */
export function refuseOtherRedirect(
  { redirectTo: [rule] }: Pick<Policy, 'redirectTo'>,
  header: Pick<RunHeader, 'redirect' | 'run' | 'sending'>,
): void {
  if (rule?.value === header.redirect) return;
  const again = `--again=${header.sending + 1}`;
  const then =
    header.redirect === undefined ? 'without redirect-to' : `with redirect-to ${header.redirect}`;
  const now =
    rule === undefined ? 'is no longer set' : `is now ${rule.value} in ${visible(rule.place)}`;
  throw new PolicyError(`This run was prepared ${then}, which ${now}.`, {
    hint: `Nothing was sent. Change the rule back, or start another run from the file, with ${again}. To see all rules: mailer policy show`,
    refusal: { rule: 'redirect-to', place: rule?.place ?? `run ${header.run}`, addresses: [] },
  });
}

/**
 * Recipients of the emails that are to be sent, copies included, by the state of their requests. Throws a
 * `PolicyError` for an email that a rule does not allow.
 */
function recipientsLeft({ journal }: OpenRun, policy: Policy, reopened: ReadonlySet<string>) {
  const left = { ready: 0, begun: 0 };
  const people = createAudience();
  for (const { chunk, parts } of journal.outcomes()) {
    for (const { state, positions, size } of parts) {
      if (state !== 'ready' && state !== 'begun' && !reopened.has(state)) continue;
      for (const { email } of emailsOf({ chunk, positions, size }, journal)) {
        const mailboxes = allRecipients(emailUnder(policy, email).email);
        // The guard counts what is sent again for the limits: it may be rejected again, which counts nothing.
        if (state === 'ready' || state === 'begun') left[state] += mailboxes.length;
        people.add(mailboxes);
      }
    }
  }
  return { ...left, audience: people.audience() };
}
