import type { EmailStatus } from '../../../api/email-status.ts';
import { UsageError } from '../../base/errors.ts';
import { toUtcSeconds } from '../../base/text/local-time.ts';
import { grouped } from '../../base/text/quantity.ts';
import type { Context } from '../../command-line/command/context.ts';
import { servicePeriodBound } from '../../command-line/command/flags/scheduled-time.ts';
import { resolveDomainIds } from '../../domains/domain/find-domain.ts';
import type { EmailsOfCampaign } from '../../mail/campaign/emails-of-campaign.ts';
import { anyTrouble, type TroubleCriteria } from '../../mail/email/affected.ts';
import type { EmailFilter } from '../../mail/email/period.ts';
import { failedStatuses, pendingStatuses, statusesGiven } from '../../mail/email/statuses.ts';
import type { FindFlags } from './find-flags.ts';
import { foundColumns } from './found-columns.ts';
import type { Matcher } from './match-email.ts';
import type { RunEmails } from './run-emails.ts';

/** Which emails are wanted, and what is to be known of them. */
export interface EmailQuery {
  /** What the service filters. */
  readonly filter: EmailFilter;
  /** What it cannot filter; undefined if nothing is left to filter here. */
  readonly matches: Matcher | undefined;
  /** Whether the status is filtered, so that the service has to tell it. */
  readonly needsStatus: boolean;
  /** The failures and complaints that are wanted; undefined if none is. */
  readonly trouble: TroubleCriteria | undefined;
  /** What may have such a trouble by its history, though its status is another; undefined if nothing may. */
  readonly mayHide: Matcher | undefined;
  /** Whether the last event of each is wanted. */
  readonly events: boolean;
  /** The run whose emails are wanted. */
  readonly run: RunEmails | undefined;
}

/** What the flags ask for. Looks up names of domains and the run, and throws a `UsageError` for what cannot be. */
export async function emailQuery(context: Context, flags: FindFlags): Promise<EmailQuery> {
  const { permanent, transient, to, from, subject } = flags;
  if (permanent && transient) {
    throw new UsageError('--permanent and --transient cannot be used together');
  }
  const bounce: TroubleCriteria['bounce'] = permanent
    ? 'Permanent'
    : transient
      ? 'Transient'
      : undefined;
  const statuses = wantedStatuses(flags, bounce !== undefined);
  const run = flags.run === undefined ? undefined : await runOf(context, flags.run);
  const campaign =
    flags.campaign === undefined ? undefined : await campaignOf(context, flags.campaign);
  const wanted = { statuses, to, from, subject, ids: run?.ids, campaign: campaign?.matches };
  const isHere = Object.values(wanted).some((one) => one !== undefined);
  const troubles = anyTrouble.statuses.filter((one) => statuses?.includes(one));
  const trouble = troubles.length === 0 ? undefined : { statuses: troubles, bounce };
  // Late, because the help page does without parsing addresses.
  const { matches, mayHide } = isHere
    ? (await import('./match-email.ts')).matchersOf(wanted, trouble)
    : nothingHere;
  const filter = {
    ...(await bounds(context, flags, run, campaign?.since)),
    ...(flags.domain && { domainId: await resolveDomainIds(context, flags.domain) }),
  };
  return {
    ...{ filter, matches, mayHide, trouble, run },
    needsStatus: statuses !== undefined,
    events: flags.events === true || bounce !== undefined || asksForEvents(context.flags.fields),
  };
}

const nothingHere = { matches: undefined, mayHide: undefined };

/** Whether `--fields` names a field of the last event. */
function asksForEvents(fields: readonly string[] = []): boolean {
  return fields.some((name) => foundColumns.some(({ field }) => field === name));
}

/** The flags that the service cannot filter by. */
const here: Readonly<
  Record<keyof Omit<FindFlags, 'since' | 'until' | 'domain' | 'events'>, string>
> = {
  status: '--status',
  failed: '--failed',
  pending: '--pending',
  permanent: '--permanent',
  transient: '--transient',
  to: '--to',
  from: '--from',
  subject: '--subject',
  run: '--run',
  campaign: '--campaign',
};

/** Those of them that are given. */
export function filtersHere(flags: FindFlags): string[] {
  return Object.entries(here).flatMap(([name, flag]) =>
    Reflect.get(flags, name) === undefined ? [] : [flag],
  );
}

/** The statuses that are wanted; undefined without such a flag. */
function wantedStatuses(
  { status, failed, pending }: FindFlags,
  isBounce: boolean,
): readonly EmailStatus[] | undefined {
  const given = [
    ...statusesGiven('--status', status),
    ...(failed ? failedStatuses : []),
    ...(pending ? pendingStatuses : []),
  ];
  if (given.length > 0) return given;
  return isBounce ? ['BOUNCED'] : undefined;
}

/** The emails of a run of the account in use. Throws a `UsageError` if it was sent elsewhere. */
export async function runOf(context: Context, named: string): Promise<RunEmails> {
  const [{ runNamed }, { runsOf }, { runEmails }] = await Promise.all([
    import('../bulk/journal/named-run.ts'),
    import('../bulk/journal/run-store.ts'),
    import('./run-emails.ts'),
  ]);
  const run = runEmails(context, await runNamed(context, runsOf(context), named));
  const { baseUrl, profile } = await context.account();
  if (baseUrl === undefined || baseUrl === run.baseUrl) return run;
  const isOther = run.profile !== undefined && run.profile !== profile;
  throw new UsageError(`Run ${run.name} was sent to ${run.baseUrl}, not to ${baseUrl}.`, {
    hint: isOther
      ? `Its account: --profile ${run.profile}`
      : `Its service, with the API key that it was sent with: --base-url ${run.baseUrl}`,
  });
}

/** What tells the emails of a campaign, which is said, because others may look the same. */
async function campaignOf(context: Context, named: string): Promise<EmailsOfCampaign> {
  const [{ emailsOfCampaign }, { findCampaign }] = await Promise.all([
    import('../../mail/campaign/emails-of-campaign.ts'),
    import('../../mail/campaign/find-campaign.ts'),
  ]);
  const campaign = await findCampaign(context, named);
  const emails = await emailsOfCampaign(context, campaign, (await context.serviceClock('ask'))());
  const { from, subject, sent } = campaign;
  const to = emails.knowsContacts ? ', to a contact who is in its book now' : '';
  const counted = typeof sent === 'number' ? ` The campaign counts ${grouped(sent)} sent.` : '';
  context.notes.say(
    `The service does not say which campaign an email belongs to. These are from ${from}, with a subject like ${JSON.stringify(subject)}, since ${toUtcSeconds(new Date(emails.since))}${to}; other emails that fit may be among them.${counted}`,
  );
  return emails;
}

/** The query for all emails of a run. */
export function queryOfRun(run: RunEmails): EmailQuery {
  const startDate = toUtcSeconds(new Date(run.from));
  const filter = { startDate, endDate: toUtcSeconds(new Date(run.to)) };
  const matches: Matcher = ({ id }) => run.ids.has(id);
  const none = { mayHide: undefined, trouble: undefined, events: false };
  return { filter, matches, needsStatus: true, ...none, run };
}

/** The bounds of the creation time: those of the flags, and within them those of the run, and when a campaign began. */
async function bounds(
  context: Context,
  { since, until }: FindFlags,
  run: RunEmails | undefined,
  begun: number | undefined,
): Promise<EmailFilter> {
  const start = since ? await servicePeriodBound(since, context, '--since') : undefined;
  const end = until ? await servicePeriodBound(until, context, '--until') : undefined;
  if (start && end && start > end) {
    throw new UsageError(
      `--since (${toUtcSeconds(start)}) is after --until (${toUtcSeconds(end)})`,
    );
  }
  const ofOthers = latest(run && new Date(run.from), begun === undefined ? begun : new Date(begun));
  const from = latest(start, ofOthers);
  const to = latest(end, run && new Date(run.to), -1);
  return {
    ...(from && { startDate: toUtcSeconds(from) }),
    ...(to && { endDate: toUtcSeconds(to) }),
  };
}

/** The later of two dates, of which one may be absent; with -1 the earlier one. */
function latest(one: Date | undefined, other: Date | undefined, sign = 1): Date | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return Number(one) * sign > Number(other) * sign ? one : other;
}
