import { html } from 'hono/html';
import type { CampaignStatus } from '../../../api/campaign-status.ts';
import { type EmailStatus, emailStatuses } from '../../../api/email-status.ts';
import type { CampaignRow } from '../../model/campaign/campaigns.ts';
import { counted, isCounted } from '../../model/email/figures.ts';
import type { Store } from '../../store/store.ts';
import { badge, emailStatusBadge, statusWords, type Tone } from '../page/badge.ts';
import type { Html } from '../page/html.ts';
import { moment } from '../page/moment.ts';
import { count, pager, pagingOf, queryUrl, rowsPerPage } from '../page/paging.ts';
import type { Asked, SectionPage } from '../page/section.ts';
import { table } from '../page/table.ts';
import { brief, dash, truncated } from '../page/words.ts';

const tones: Readonly<Record<CampaignStatus, Tone>> = {
  DRAFT: 'neutral',
  SCHEDULED: 'accent',
  RUNNING: 'accent',
  PAUSED: 'warn',
  SENT: 'good',
};

/** The status of a campaign. */
export function campaignBadge(status: CampaignStatus): Html {
  return badge(statusWords(status), tones[status]);
}

/** The most characters shown of the content. */
const contentShown = 20_000;

/**
 * One campaign: its progress, its funnel and its messages. In `query`, `status` selects messages with this
 * event, and `page` selects a page of them.
 */
export function campaignDetails(campaign: CampaignRow, asked: Asked): SectionPage {
  const { store, now } = asked;
  return {
    title: truncated(campaign.name),
    body: html`<div class="heading"><p class="up"><a href="/campaigns">All campaigns</a></p>
<h1>${brief(campaign.name)}</h1></div>
${progress(campaign, now)}
<section class="panel" aria-labelledby="funnel"><h2 id="funnel">Funnel</h2><div id="funnel-now" data-renew>${funnel(campaign)}</div></section>
<section class="panel" aria-labelledby="details"><h2 id="details">Details</h2>${facts(store, campaign, now)}</section>
${messages(campaign, asked)}`,
  };
}

function progress({ sent, total, status, scheduledAt }: CampaignRow, now: number): Html {
  const starts =
    status === 'SCHEDULED' && scheduledAt !== null
      ? html` It starts ${moment(scheduledAt, now)}.`
      : '';
  return html`<section class="panel" aria-labelledby="progress"><h2 id="progress">Progress</h2>
<div id="progress-now" data-renew>
<progress value="${sent}" max="${Math.max(total, 1)}" data-tone="accent" aria-labelledby="progress"></progress>
<p>${campaignBadge(status)} ${count(sent)} of ${count(total)} sent${total === 0 ? '' : `, ${percent(sent, total)}`}.${starts}</p></div></section>`;
}

function funnel(campaign: CampaignRow): Html {
  const { total, sent, delivered, opened } = campaign;
  return table({
    caption: 'Outcomes of the messages of this campaign',
    columns: ['Step', 'Share', 'Messages', 'Of all', 'Rate'],
    numbers: ['Messages', 'Of all', 'Rate'],
    rows: [
      row('Total', 'accent', total),
      row('Sent', 'accent', sent, [total, 'total'], 'SENT'),
      row('Delivered', 'accent', delivered, [sent, 'sent'], 'DELIVERED'),
      row('Opened', 'accent', opened, [delivered, 'delivered'], 'OPENED'),
      row('Clicked', 'accent', campaign.clicked, [opened, 'opened'], 'CLICKED'),
      row('Unsubscribed', 'warn', campaign.unsubscribed, [delivered, 'delivered']),
      row('Bounced', 'bad', campaign.bounced, [sent, 'sent'], 'BOUNCED'),
      row('Complained', 'bad', campaign.complained, [delivered, 'delivered'], 'COMPLAINED'),
    ],
  });

  function row(
    name: string,
    tone: Tone,
    value: number,
    of?: readonly [number, string],
    status?: keyof typeof counted,
  ): (Html | string)[] {
    const shown = count(value);
    return [
      name,
      html`<progress value="${value}" max="${Math.max(total, 1)}" data-tone="${tone}" aria-hidden="true"></progress>`,
      status === undefined || value === 0
        ? shown
        : html`<a href="${queryUrl({ status })}#messages" aria-label="${name}: ${shown} messages">${shown}</a>`,
      percent(value, total),
      of === undefined || of[0] === 0 ? '–' : `${percent(value, of[0])} of ${of[1]}`,
    ];
  }
}

function facts(store: Store, campaign: CampaignRow, now: number): Html {
  const sql = 'SELECT name FROM contact_books WHERE id = ?';
  const book = store.value<string>(sql, campaign.contactBookId);
  const at = (time: number | null) => (time === null ? dash : moment(time, now));
  return html`<dl class="facts">
<dt>Subject</dt><dd>${brief(campaign.subject, 1000)}</dd>
<dt>From</dt><dd>${brief(campaign.sender, 1000)}</dd>
<dt>Sent to</dt><dd>${
    book === undefined
      ? html`a contact book that was deleted, <code>${brief(campaign.contactBookId)}</code>`
      : html`<a href="/contacts/${encodeURIComponent(campaign.contactBookId)}">${brief(book)}</a>`
  }</dd>
<dt>Scheduled</dt><dd>${at(campaign.scheduledAt)}</dd>
<dt>Last sent</dt><dd>${at(campaign.lastSentAt)}</dd>
<dt>Batch size</dt><dd>${count(campaign.batchSize)}</dd>
<dt>Created</dt><dd>${moment(campaign.createdAt, now)}</dd>
<dt>ID</dt><dd><code>${campaign.id}</code></dd>
</dl>
<details><summary>Content</summary><pre class="wrap">${truncated(campaign.html ?? campaign.content ?? '', contentShown)}</pre></details>`;
}

function messages(campaign: CampaignRow, { store, query, now }: Asked): Html {
  const { status: asked = '' } = query;
  const status = isCounted(asked) ? asked : '';
  const sql = 'SELECT count(*) FROM emails WHERE campaign_id = ?';
  const all = store.value<number>(sql, campaign.id) ?? 0;
  const paging = pagingOf(query.page, status === '' ? all : campaign[counted[status]]);
  // A status only moves up, so messages with this event have this status or a higher one.
  const order = status === '' ? 'contact_id' : 'latest_status, contact_id';
  const happened = status === '' ? '' : hadEvent;
  const values = status === '' ? [] : [emailStatuses.slice(emailStatuses.indexOf(status)), status];
  const rows = store.all<MessageRow>(
    `SELECT id, recipients, subject, latest_status AS status, updated_at FROM emails
     WHERE campaign_id = ? ${happened} ORDER BY ${order} LIMIT ? OFFSET ?`,
    campaign.id,
    ...values,
    rowsPerPage,
    paging.offset,
  );
  return html`<section class="part" aria-labelledby="messages"><h2 id="messages">Messages</h2>
<div id="messages-now"${paging.page === 1 ? html` data-renew` : ''}>
${
  status === ''
    ? ''
    : html`<p>Only messages with the event <strong>${statusWords(status)}</strong>. <a href="?#messages">Show all</a></p>`
}
${
  rows.length === 0
    ? html`<p class="muted">No messages yet.</p>`
    : table({
        caption: 'Messages of this campaign',
        columns: ['To', 'Subject', 'Status', 'Changed'],
        rows: rows.map((row) => [
          html`<a href="/messages/${encodeURIComponent(row.id)}">${brief(row.recipients[0] ?? '')}</a>`,
          brief(row.subject),
          emailStatusBadge(row.status),
          moment(row.updatedAt, now),
        ]),
      })
}
${pager(paging, { status })}</div></section>`;
}

interface MessageRow {
  id: string;
  recipients: string[];
  subject: string;
  status: EmailStatus;
  updatedAt: number;
}

const hadEvent = `AND latest_status IN (SELECT value FROM json_each(?))
  AND EXISTS (SELECT 1 FROM events WHERE email_id = emails.id AND events.status = ?)`;

/** `part` of `whole` in percent, or a dash if `whole` is 0. */
function percent(part: number, whole: number): string {
  if (whole === 0) return '–';
  const value = (part / whole) * 100;
  return `${value.toFixed(value > 0 && value < 10 ? 1 : 0)}%`;
}
