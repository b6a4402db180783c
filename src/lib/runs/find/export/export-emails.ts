import type { EmailListItem } from '../../../../api/email.ts';
import { limits } from '../../../../api/limits.ts';
import { ConflictError, UsageError, withHint } from '../../../base/errors.ts';
import { cannotBeWritten, isFileError, refuseDash } from '../../../base/files/file-errors.ts';
import { type ProcessLock, takeLock } from '../../../base/files/process-lock.ts';
import type { ReadonlyInfer } from '../../../base/json/readonly-infer.ts';
import { grouped, quantity } from '../../../base/text/quantity.ts';
import type { Context } from '../../../command-line/command/context.ts';
import { done, type Result } from '../../../command-line/output/result.ts';
import { fetchHistories } from '../../../mail/email/last-event.ts';
import { emailPages } from '../email-pages.ts';
import { type EmailQuery, emailQuery } from '../email-query.ts';
import { candidates, refuseWithoutStatus, wantedOf } from '../find-emails.ts';
import type { FindFlags } from '../find-flags.ts';
import type { emailExportReply } from '../found-shapes.ts';
import { type EarlierEmails, earlierEmails } from './earlier-emails.ts';
import { type ExportPlace, isStopped, placeOf } from './export-place.ts';
import { type ExportState, exportWriter, stoppedExport } from './export-writer.ts';
import {
  type ExportFormat,
  exportedEmail,
  exportedLine,
  exportHeader,
  storedState,
} from './exported-email.ts';

export interface EmailExportFlags extends FindFlags {
  readonly output?: string | undefined;
  readonly format?: ExportFormat | undefined;
  readonly sinceLast?: true | undefined;
  /** Milliseconds. */
  readonly overlap?: number | undefined;
}

/** What an export did, as JSON shows it. */
type EmailExportReply = ReadonlyInfer<typeof emailExportReply>;

/** How far back `--since-last` looks for changes: late bounces come within days. */
const usualOverlap = 7 * 24 * 60 * 60 * 1000;

/** What a resumed export has in common with the one that stopped. */
const filters: Readonly<Record<Exclude<keyof FindFlags, 'events'> | 'sinceLast', true>> = {
  ...{ since: true, until: true, domain: true, status: true, failed: true, pending: true },
  ...{ permanent: true, transient: true, to: true, from: true, subject: true },
  ...{ run: true, campaign: true, sinceLast: true },
};

const nothingEarlier: EarlierEmails = { newest: undefined, states: new Map() };

/** Exports emails with their histories to a file. A stopped export is resumed. */
export async function exportEmails(context: Context, flags: EmailExportFlags): Promise<Result> {
  const { output = '', sinceLast = false, overlap = usualOverlap } = flags;
  if (flags.overlap !== undefined && !sinceLast) {
    throw new UsageError('--overlap needs --since-last');
  }
  if (sinceLast && flags.since !== undefined) {
    throw new UsageError('--since-last and --since cannot be used together', {
      hint: 'The last export determines the time.',
    });
  }
  if (output === '') throw new UsageError('--output needs the name of a file or directory');
  refuseDash('--output', output, 'To print emails: email list --all --events --jsonl.');
  const place = placeOf(context, output, flags.format);
  const replaces = !sinceLast && !place.isDirectory && place.earlier.length > 0;
  if (replaces && !isStopped(place)) {
    await context.prompts.confirm(`Replace ${output}?`, 'Nothing was written');
  }
  const query = await emailQuery(context, flags);
  const held = locked(place);
  try {
    return await exportTo(context, place, query, {
      ...flags,
      overlap,
      sinceLast: sinceLast || undefined,
    });
  } finally {
    held.remove();
  }
}

/** Holds the target for this process alone. */
function locked(place: ExportPlace): ProcessLock {
  try {
    const held = takeLock(place.lock);
    if (held !== undefined) return held;
  } catch (error) {
    throw isFileError(error) ? cannotBeWritten(place.name, error, '--output') : error;
  }
  throw new ConflictError(`Another process is writing ${place.name}.`);
}

async function exportTo(
  context: Context,
  place: ExportPlace,
  query: EmailQuery,
  flags: EmailExportFlags & { readonly overlap: number },
): Promise<Result> {
  const { sinceLast = false, overlap } = flags;
  const { format } = place;
  const { baseUrl } = await context.account();
  const given: Readonly<Record<string, unknown>> = { ...flags };
  const wanted = Object.keys(filters).map((name) => given[name]);
  const asked = JSON.stringify([baseUrl, format, overlap, ...wanted]);
  const before = stoppedExport(place, asked);
  const earlier = sinceLast ? await earlierEmails(place.earlier, format, overlap) : nothingEarlier;
  const filter = before?.filter ?? {
    ...query.filter,
    ...(earlier.newest !== undefined && {
      startDate: new Date(earlier.newest - overlap).toISOString(),
    }),
  };
  let state: Omit<ExportState, 'bytes'> = before ?? {
    ...{ asked, filter, last: undefined, ids: [] },
    ...{ written: 0, changed: 0, scanned: 0 },
  };
  const appends = sinceLast && !place.isDirectory;
  const header = appends && place.earlier.length > 0 ? '' : exportHeader(format);
  const writer = await exportWriter(place, {
    ...{ header, before, appends },
    monotonic: () => context.system.monotonic(),
  });
  if (before !== undefined) {
    context.notes.say(`Resuming the export after ${quantity(before.written, 'email')}.`);
  }
  try {
    for await (const rows of pagesFrom(context, filter, state)) {
      const open = before === undefined ? rows : rows.filter((row) => !isDone(row, before));
      refuseWithoutStatus(query, open);
      const wanted = candidates(open, { ...query, events: true }).filter(
        (row) => earlier.states.get(row.id) !== storedState(row),
      );
      const histories = await fetchHistories(context, wanted);
      const emails = wantedOf(
        histories.map(({ row, events }) => exportedEmail(row, events, query.trouble)),
        query,
      );
      const changed = emails.filter(({ id }) => earlier.states.has(id)).length;
      state = {
        ...state,
        ...placeAfter(open, state),
        written: state.written + emails.length,
        changed: state.changed + changed,
        scanned: state.scanned + open.length,
      };
      await writer.add(emails.map((email) => exportedLine(email, format)).join(''), state);
    }
  } catch (error) {
    if (!(await writer.stop())) throw error;
    throw withHint(
      error,
      `${quantity(state.written, 'email')} ${state.written === 1 ? 'is' : 'are'} in ${place.name}.partial. To resume, run the same command.`,
    );
  }
  await writer.finish();
  const { written, changed, scanned } = state;
  const reply: EmailExportReply = { file: place.target, written, changed, scanned };
  return done({ reply, ids: [place.name], message: inWords(reply, place) });
}

/** Pages of the emails that were created when the export stopped or before. */
async function* pagesFrom(
  context: Context,
  filter: EmailQuery['filter'],
  { last, scanned }: Omit<ExportState, 'bytes'>,
): AsyncGenerator<readonly EmailListItem[]> {
  // Whether a service includes the end of a period is not known.
  const end = last === undefined ? {} : { endDate: new Date(Date.parse(last) + 1).toISOString() };
  const options = { size: limits.emailsPerPage.max, all: true };
  const { pages } = emailPages(context, { ...filter, ...end }, options);
  const iterator = pages[Symbol.asyncIterator]();
  for (let seen = scanned; ; ) {
    const so = `Exported the emails of ${grouped(seen)}`;
    const next = await context.progress.during(so, () => iterator.next());
    if (next.done === true) return;
    seen += next.value.rows.length;
    yield next.value.rows;
  }
}

/** Whether an email was written, or left out, before the export stopped. */
function isDone(
  { id, createdAt }: EmailListItem,
  { last, ids }: Pick<ExportState, 'last' | 'ids'>,
) {
  if (last === undefined) return false;
  return ids.includes(id) || Date.parse(createdAt ?? '') > Date.parse(last);
}

/** Where an export is after these emails. */
function placeAfter(
  rows: readonly EmailListItem[],
  { last: before, ids }: Pick<ExportState, 'last' | 'ids'>,
): Pick<ExportState, 'last' | 'ids'> {
  const last = rows.at(-1)?.createdAt ?? before;
  // Pages are read again if emails have disappeared meanwhile.
  if (before !== undefined && Date.parse(last ?? '') > Date.parse(before)) {
    return { last: before, ids };
  }
  const same = rows.filter(({ createdAt }) => createdAt === last).map(({ id }) => id);
  return { last, ids: last === before ? [...ids, ...same] : same };
}

function inWords({ written, changed, scanned }: EmailExportReply, { name }: ExportPlace): string {
  const again = changed === 0 ? '' : `, ${changed} of them again, because they changed`;
  return `Exported ${quantity(written, 'email')} to ${name}${again}. Looked through ${grouped(scanned)}.`;
}
