import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { bareAddress } from '../../../../api/bare-address.ts';
import type { SendBody } from '../../../../api/email.ts';
import { limits } from '../../../../api/limits.ts';
import { PolicyError, UsageError, when } from '../../../base/errors.ts';
import type { InputRow, Rows } from '../../../people/rows/row.ts';
import { createRowFindings, type RowFindings } from '../../../people/rows/row-findings.ts';
import { withinDepth } from '../../../service/http/check-request.ts';
import { emailUnder } from '../../../service/policy/email-under.ts';
import type { Policy } from '../../../service/policy/policy.ts';
import { allRecipients } from '../../../service/policy/redirect.ts';
import type { Journal } from '../journal/journal.ts';
import { createJournal } from '../journal/journal-file.ts';
import { createMailedSketch, type MailedSketch } from '../journal/mailed-sketch.ts';
import type { LeftOut } from '../journal/run-parts.ts';
import { runFiles } from '../journal/run-store.ts';
import type { Shard } from '../journal/shard.ts';
import { createChunks } from './chunks.ts';
import { createContradictions } from './contradictions.ts';
import {
  bareRecipients,
  type Common,
  emailOfRow,
  recipientKey,
  recipientsInWords,
} from './email-of-row.ts';
import type { RowColumns, TakenRow } from './row-columns.ts';
import { createSeenAddresses } from './seen-addresses.ts';

/** The result of checking an input and writing its emails down. */
export interface Prepared extends RowFindings {
  readonly rows: number;
  /** Emails that this process is to send, without those of other shards. */
  readonly emails: number;
  readonly requests: number;
  /** Of these requests, those of a single email: replies. */
  readonly alone: number;
  /** Rows left out because their people do not want email, or did not say that they do. */
  readonly optedOut: number;
  readonly unanswered: number;
  /** Whether any email, of any shard, uses a stored template. */
  readonly usesTemplates: boolean;
  /** Recipients of all emails of all shards, copies included; who gets several counts each time. */
  readonly recipients: number;
  /** Of these, the recipients of this process's emails. */
  readonly recipientsOfShard: number;
  /** Digest of the emails of all shards, as they are sent. */
  readonly digest: string;
  /** Samples of who gets what; see `createMailedSketch`. */
  readonly mailed: MailedSketch;
}

export interface PrepareOptions {
  readonly rows: Rows;
  readonly columns: Pick<RowColumns, 'take' | 'count'>;
  readonly common: Common;
  readonly policy: Policy;
  /** Whether to leave out a row with the recipients of an earlier one. */
  readonly unique: boolean;
  readonly shard: Shard;
  /** The directory of the new run. */
  readonly directory: string;
  readonly signal: AbortSignal;
  /** Called with the number of rows, now and then. */
  readonly report: (rows: number) => void;
  /** Called for each email that is written down, of any shard. */
  readonly prepared?: (row: number, email: SendBody) => void;
}

/**
 * Checks every row of an input and writes the emails down in chunks, ready to be sent. The result depends
 * only on the input and the options, so that several machines make the same chunks.
 */
export async function prepare(options: PrepareOptions): Promise<Prepared> {
  const { directory } = options;
  const journal = createJournal(join(directory, runFiles.journal));
  const seen = createSeenAddresses(join(directory, 'addresses.sqlite'));
  try {
    return await prepareInto(journal, seen, options);
  } finally {
    seen.close();
    journal.close();
  }
}

async function prepareInto(
  journal: Journal,
  seen: ReturnType<typeof createSeenAddresses>,
  options: PrepareOptions,
): Promise<Prepared> {
  const { columns, common, policy, unique, shard, signal } = options;
  const findings = createRowFindings();
  let rows = 0;
  let usesTemplates = false;
  let recipients = 0;
  let optedOut = 0;
  let unanswered = 0;
  const digest = createHash('sha256');
  const mailedSketch = createMailedSketch();
  const chunks = createChunks(journal, { shard, perRequest: limits.emailsPerBatch });
  const leaveOut = (row: LeftOut) => {
    // Every shard reads all rows; only the first one reports those left out.
    if (shard.index === 1) chunks.leaveOut(row);
  };
  /** Adds an email; returns whether it is sent. */
  const add = (
    row: number,
    given: SendBody,
    values: Readonly<Record<string, unknown>>,
  ): boolean => {
    const { email } = emailUnder(policy, given);
    usesTemplates ||= email.templateId !== undefined;
    const json = withinDepth(() => JSON.stringify(email));
    const to = recipientsInWords(given);
    const earlier = seen.earlier(recipientKey(given), row);
    if (earlier !== undefined) {
      const problem = findings.repeated(row, to, earlier);
      if (unique) {
        leaveOut({ row, address: to, reason: 'duplicate', problem });
        return false;
      }
    }
    const contradictions = people.mailed(allRecipients(given).map(bareAddress), row);
    for (const { address, by } of contradictions) findings.contradicted(row, address, by);
    const mailed = allRecipients(email).length;
    recipients += mailed;
    digest.update(`${json}\n`);
    mailedSketch.add(email, values);
    // In a batch, live servers drop which email this one replies to.
    const alone = email.inReplyToId !== undefined;
    options.prepared?.(row, email);
    chunks.add([row, to], json, { templateId: email.templateId, alone, recipients: mailed });
    return true;
  };
  const people = createContradictions(seen);
  const refuse = async (row: InputRow) => {
    // It is not sent in any case.
    const email = await emailOfRow(row, common).catch(when(UsageError, () => undefined));
    if (email === undefined) return;
    for (const { address, mailed } of people.refused(bareRecipients(email), row.number)) {
      findings.contradicted(mailed, address, row.number);
    }
  };
  const take = async (row: InputRow, taken: TakenRow) => {
    try {
      const values = 'problem' in row ? {} : row.scope();
      if (add(row.number, await emailOfRow(row, common), values)) columns.count(taken);
    } catch (error) {
      if (!(error instanceof UsageError || error instanceof PolicyError)) throw error;
      const why = findings.invalid(row.number, error);
      leaveOut({ row: row.number, address: addressIn(row), ...why });
    }
  };
  for await (const row of options.rows) {
    rows++;
    const taken = columns.take(row);
    const { unwanted } = taken;
    if (unwanted !== undefined) {
      columns.count(taken);
      if (unwanted.isNo) {
        optedOut++;
        await refuse(row);
      } else unanswered++;
      leaveOut({
        row: row.number,
        address: addressIn(row),
        reason: 'opted_out',
        problem: unwanted.problem,
      });
      continue;
    }
    if (rows % 1000 === 0) {
      signal.throwIfAborted();
      options.report(rows);
    }
    await take(row, taken);
  }
  signal.throwIfAborted();
  return {
    ...{ rows, usesTemplates, recipients, optedOut, unanswered },
    ...{ digest: digest.digest('hex'), mailed: mailedSketch.end() },
    ...chunks.end(),
    ...findings.found(rows),
  };
}

function addressIn(row: InputRow): string {
  if ('problem' in row) return '';
  const { to } = row.fields;
  return typeof to === 'string' ? to : Array.isArray(to) ? to.join(', ') : '';
}
