import type { EmailStatus } from '../../../api/email-status.ts';
import { limits } from '../../../api/limits.ts';
import { byName, escapeHtml, merge, onOneLine } from '../../../shared/merge.ts';
import { teamId } from '../../model/api-account.ts';
import { noDomain, verifiedDomainOf } from '../../model/domains.ts';
import { eventsOf } from '../../model/email/email-events.ts';
import {
  type EmailColumns,
  type NewEmail,
  recordEvent,
  releaseEmail,
  scheduleRelease,
  storeEmail,
} from '../../model/email/emails.ts';
import { iso, isoDates } from '../../model/iso.ts';
import { removeJobs } from '../../model/jobs.ts';
import { type TemplateRow, templateHtml, templateOf } from '../../model/templates.ts';
import { ApiError, orNotFound } from '../../store/errors.ts';
import type { Store } from '../../store/store.ts';
import { whereOf } from '../../store/where.ts';
import type { Call, Handlers } from '../call.ts';
import { sendOnce } from '../idempotency.ts';
import type { LiveEmail } from '../live-inputs.ts';

export const emailHandlers: Handlers<'email'> = {
  async 'email.send'(call) {
    const { body } = call.input;
    const { inReplyToId } = body;
    const templates = (id: string) => templateOf(call.store, id);
    const [emailId = ''] = await send(call, body, () => {
      if (inReplyToId && !emailExists(call.store, inReplyToId)) {
        throw new ApiError('BAD_REQUEST', '"inReplyToId" is not the id of an email');
      }
      return [readyEmail(call.store, body, templates)];
    });
    return { emailId };
  },

  async 'email.batch'(call) {
    const { body } = call.input;
    if (body.length === 0) throw new ApiError('BAD_REQUEST', 'No emails provided for bulk send');
    const { store, leaveOutEvery } = call;
    const isLeftOut = (index: number) =>
      leaveOutEvery !== undefined && (index + 1) % leaveOutEvery === 0;
    const ids = await send(call, body, () => {
      const templates = firstTemplate(store);
      return body
        .map((email) => readyEmail(store, { ...email, inReplyToId: undefined }, templates))
        .filter((_, index) => !isLeftOut(index));
    });
    return { data: ids.map((emailId) => ({ emailId })) };
  },

  'email.get'({ store, input }) {
    const email = findEmail(store, input.params.emailId);
    const emailEvents = eventsOf(store, email.id).map(({ status, createdAt, data }) => ({
      emailId: email.id,
      status,
      createdAt: iso(createdAt),
      data,
    }));
    const { cc, bcc, replyTo, ...shown } = shownEmail(email);
    return { ...shown, teamId, emailEvents, ...moreOf(store, email.id) };
  },

  'email.list'({ store, input: { query } }) {
    const { startDate, endDate, domainId } = query;
    const { where, values } = whereOf([
      // Live servers ignore the start if there is an end.
      ['created_at >= ?', endDate === undefined ? startDate && Date.parse(startDate) : undefined],
      ['created_at <= ?', endDate && Date.parse(endDate)],
      ['domain_id IN (SELECT value FROM json_each(?))', domainId],
    ]);
    const limit = query.limit ?? limits.emailsPerPage.default;
    const offset = ((query.page ?? 1) - 1) * limit;
    const rows = store.all<EmailRow>(
      `${selectEmail} ${where} ORDER BY created_at DESC, seq DESC LIMIT ? OFFSET ?`,
      ...values,
      limit,
      offset,
    );
    const count = store.value<number>(`SELECT count(*) FROM emails ${where}`, ...values) ?? 0;
    return { data: rows.map(shownListItem), count };
  },

  'email.reschedule'({ store, now, input }) {
    const { emailId } = input.params;
    const at = Date.parse(input.body.scheduledAt);
    store.write(() => {
      checkScheduled(store, emailId);
      removeJobs(store, 'email.release', emailId);
      store.update('emails', emailId, { scheduledAt: at, updatedAt: now });
      if (at > now) scheduleRelease(store, emailId, at);
      else releaseEmail(store, emailId, now);
    });
    return { emailId };
  },

  'email.cancel'({ store, now, input }) {
    const { emailId } = input.params;
    store.write(() => {
      checkScheduled(store, emailId);
      removeJobs(store, 'email.release', emailId);
      recordEvent(store, { emailId, status: 'CANCELLED', recipient: '' }, now);
    });
    return { emailId };
  },
};

/**
 * Sends what `prepare` returns. It throws if nothing may be sent, and returns undefined for an
 * email that cannot be created; live servers respond with 500 if none can.
 */
function send(
  call: Call,
  body: unknown,
  prepare: () => readonly (NewEmail | undefined)[],
): Promise<string[]> {
  const { store, account, idempotencyKey, now, processing } = call;
  return sendOnce(store, {
    key: idempotencyKey,
    body,
    now,
    processing,
    send: () => {
      if (account.blocked) throw new ApiError('FORBIDDEN', 'This account is blocked from sending');
      const emails = prepare().filter((email) => email !== undefined);
      if (emails.length === 0) {
        throw new ApiError('INTERNAL_SERVER_ERROR', 'Failed to create any email records');
      }
      return emails.map((email) => storeEmail(store, email, now));
    },
  });
}

/** The email to send; undefined without a subject, with which live servers cannot create it. */
function readyEmail(store: Store, body: LiveEmail, templates: FindTemplate): NewEmail | undefined {
  const domainId = verifiedDomainOf(store, body.from);
  const { subject, html } = contentOf(body, templates);
  if (subject === undefined) return undefined;
  const scheduledAt = body.scheduledAt === undefined ? null : Date.parse(body.scheduledAt);
  return { ...body, subject, html, domainId, scheduledAt, inReplyToId: body.inReplyToId || null };
}

/** An existing template overrides the subject and html of the request. */
function contentOf(body: LiveEmail, templates: FindTemplate): Pick<LiveEmail, 'subject' | 'html'> {
  const template = body.templateId ? templates(body.templateId) : undefined;
  if (template === undefined) return body;
  const lookup = byName(body.variables ?? {});
  return {
    subject: merge(template.subject, lookup, onOneLine),
    html: merge(templateHtml(template), lookup, escapeHtml),
  };
}

type FindTemplate = (id: string) => TemplateRow | undefined;

/** As on live servers, the first template found is used for all emails of a batch. */
function firstTemplate(store: Store): FindTemplate {
  let first: TemplateRow | undefined;
  return (id) => {
    first ??= templateOf(store, id);
    return first;
  };
}

function emailExists(store: Store, id: string): boolean {
  return store.value('SELECT 1 FROM emails WHERE id = ?', id) !== undefined;
}

function checkScheduled(store: Store, id: string): void {
  const email = findEmail(store, id);
  if (email.latestStatus !== 'SCHEDULED') {
    throw new ApiError('BAD_REQUEST', 'Email already processed');
  }
}

interface EmailRow extends EmailColumns {
  html: string | null;
  text: string | null;
  latestStatus: EmailStatus;
  domainId: number;
  updatedAt: number;
}

const selectEmail = `SELECT id, sender, recipients, cc, bcc, reply_to, subject, html, text, latest_status,
  scheduled_at, domain_id, created_at, updated_at FROM emails`;

function findEmail(store: Store, id: string): EmailRow {
  return orNotFound('Email', store.one<EmailRow>(`${selectEmail} WHERE id = ?`, id));
}

/** What live servers do not show: the headers that were given, and the attachments without their content. */
function moreOf(store: Store, id: string) {
  const headers = store.value<object>('SELECT headers FROM emails WHERE id = ?', id) ?? {};
  const attachments = store.all<{ filename: string; size: number }>(
    'SELECT filename, length(content) AS size FROM attachments WHERE email_id = ? ORDER BY position',
    id,
  );
  return {
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
    ...(attachments.length === 0 ? {} : { attachments }),
  };
}

function shownEmail(row: EmailRow) {
  return {
    id: row.id,
    to: [...row.recipients],
    replyTo: [...row.replyTo],
    cc: [...row.cc],
    bcc: [...row.bcc],
    from: row.sender,
    subject: row.subject,
    html: row.html,
    text: row.text,
    ...isoDates(row),
  };
}

function shownListItem(row: EmailRow) {
  return {
    ...shownEmail(row),
    latestStatus: row.latestStatus,
    scheduledAt: iso(row.scheduledAt),
    // Mail that came over SMTP may be from any domain.
    domainId: row.domainId === noDomain ? null : row.domainId,
  };
}
