import { ConflictError, PolicyError, UsageError } from '../../base/errors.ts';
import { actingProgram } from '../../base/terminal/can-ask.ts';
import { grouped, quantity } from '../../base/text/quantity.ts';
import { visible } from '../../base/text/visible.ts';
import type { Context } from '../command/context.ts';
import { localCommand } from '../command/next-command.ts';
import { allOf, summaryAbove, whenSent } from '../command/summary.ts';
import type { Result } from '../output/result.ts';
import { checkExact } from './check-exact.ts';
import type { KeptEntry } from './outbox-shapes.ts';
import { type Outbox, outboxOf, type StoredEntry } from './outbox-store.ts';
import { domainsInWords, showEntry } from './show-entry.ts';

/**
 * Has a person at the terminal approve an entry, who types the number of its recipients. Throws a `PolicyError` where
 * nobody is asked, whatever the flags, and like `checkExact`.
 */
export async function approveEntry(context: Context, id: string): Promise<Result> {
  const outbox = await outboxOf(context);
  const stored = outbox.get(id);
  refuseDecided(context, stored, 'approve');
  if (!context.prompts.possible) throw nobodyToAsk(context);
  await checkExact(context, stored);
  const { recipients } = stored.kept;
  await context.prompts.text(
    `To approve it, type the number of recipients (${grouped(recipients)}):`,
    {
      above: await aboutEntry(context, stored, outbox.lastApproved(stored.kept)),
      undone: 'Nothing was approved',
      check: (answer) =>
        [String(recipients), grouped(recipients)].includes(answer.trim())
          ? undefined
          : `It goes to ${grouped(recipients)}.`,
    },
  );
  return await decide(context, outbox, stored, 'approved');
}

/** Rejects an entry, which is then never sent. */
export async function rejectEntry(context: Context, id: string): Promise<Result> {
  const outbox = await outboxOf(context);
  const stored = outbox.get(id);
  refuseDecided(context, stored, 'reject');
  return await decide(context, outbox, stored, 'rejected');
}

async function decide(
  context: Context,
  outbox: Outbox,
  shown: StoredEntry,
  state: 'approved' | 'rejected',
): Promise<Result> {
  const { id } = shown.kept;
  await context.logged();
  return outbox.holding(id, () => {
    const now = outbox.get(id);
    refuseDecided(context, now, state === 'approved' ? 'approve' : 'reject');
    if (now.bytes !== shown.bytes) {
      throw new ConflictError(`Entry ${id} of the outbox has changed meanwhile.`, {
        hint: 'Nothing was changed here. Run the command again.',
      });
    }
    outbox.mark(now, state);
    if (state === 'approved') outbox.rememberApproved(now.kept);
    return showEntry(context, outbox.get(id).shown);
  });
}

/** Throws a `UsageError` for an entry that is not to be decided any more. */
function refuseDecided(
  context: Context,
  { shown: { id, state } }: StoredEntry,
  what: 'approve' | 'reject',
): void {
  if (state === 'pending' || (what === 'reject' && state === 'approved')) return;
  const why = state === 'begun' ? 'is already being sent' : `is already ${state}`;
  throw new UsageError(
    `Entry ${id} of the outbox ${why}, so nothing was ${what === 'approve' ? 'approved' : 'rejected'}.`,
    {
      hint: `Nothing was changed. To see it: ${localCommand(context, 'outbox', 'get', id)}`,
    },
  );
}

function nobodyToAsk({ system, flags }: Context): PolicyError {
  const program = actingProgram(system);
  const hasTerminal = system.stdin.isTTY === true && system.stderrIsTerminal;
  const why =
    program !== undefined
      ? `${program} is set, so a program acts here`
      : !hasTerminal
        ? 'there is no terminal, or --no-input or CI forbids questions'
        : flags.ask === false
          ? 'it asks a question, and --no-input does not allow that'
          : 'it asks a question, and CI is set, so nobody would answer';
  return new PolicyError(`Only a person at a terminal can approve this: ${why}.`, {
    hint: 'Nothing was approved. Run the same command by hand, at a terminal. No flag replaces the answer, not even --yes.',
  });
}

/** What a person should know of an entry, and what differs from the last one. */
async function aboutEntry(
  context: Context,
  { kept, shown }: StoredEntry,
  before: KeptEntry | undefined,
): Promise<readonly string[]> {
  const others = kept.recipients - kept.first.length;
  const more = others > 0 ? [`… and ${quantity(others, 'more recipient')}`] : [];
  const when = kept.scheduledAt ?? undefined;
  return summaryAbove(
    [
      ['Base URL', [kept.baseUrl]],
      ['Command', [kept.command]],
      ['From', allOf(kept.from ?? undefined)],
      ['Recipients', [grouped(kept.recipients), ...kept.first, ...more]],
      ['Domains', [domainsInWords(shown)]],
      ['Subject', allOf(kept.subject ?? undefined)],
      ['When', [await whenSent(when, context)]],
      ['Campaign', allOf(kept.campaign ?? undefined)],
      ['Findings', kept.findings.flatMap((finding) => finding.split('\n'))],
      ['Why', allOf(kept.why ?? undefined)],
      [
        'Changed',
        before === undefined
          ? ['first approval for this command and account']
          : changes(before, kept),
      ],
      ['In full', [localCommand(context, 'outbox', 'get', kept.id, '--json')]],
    ],
    context,
  );
}

/** What differs from the last entry that was approved of this command and account. */
function changes(before: KeptEntry, now: KeptEntry): readonly string[] {
  const words = (value: string | number | null) => (value === null ? 'none' : visible(`${value}`));
  const fields = ['from', 'subject', 'recipients', 'scheduledAt'] as const;
  const changed = fields.flatMap((field) =>
    before[field] === now[field]
      ? []
      : [`${field}: ${words(before[field])} → ${words(now[field])}`],
  );
  const names = new Set(before.domains.map(({ domain }) => domain));
  const fresh = now.domains.filter(({ domain }) => !names.has(domain));
  return [
    ...changed,
    ...(fresh.length === 0 ? [] : [`new domains: ${domainsInWords({ domains: fresh })}`]),
    before.content === now.content ? 'same content as the last one approved' : 'other content',
  ];
}
