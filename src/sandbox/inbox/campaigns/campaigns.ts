import type { Hono } from 'hono';
import { html } from 'hono/html';
import type { AccountService } from '../../http/account-service.ts';
import { type CampaignRow, searchable, selectCampaign } from '../../model/campaign/campaigns.ts';
import type { Html } from '../page/html.ts';
import { moment } from '../page/moment.ts';
import { count, pager, readPage } from '../page/paging.ts';
import { searchedFor, searchForm } from '../page/search-form.ts';
import { type Asked, type SectionPage, sectionPages } from '../page/section.ts';
import { table } from '../page/table.ts';
import { brief } from '../page/words.ts';
import { campaignBadge, campaignDetails } from './campaign.ts';

/** The list of campaigns, and each with its status and messages. */
export function campaignPages(service: AccountService): Hono {
  return sectionPages(service, '/campaigns', {
    list,
    find: (store, id) => store.one<CampaignRow>(`${selectCampaign} WHERE id = ?`, id),
    show: campaignDetails,
  });
}

function list({ store, query, now }: Asked): SectionPage {
  const q = searchedFor(query.q);
  const where = q === '' ? '' : 'WHERE instr(search_text, ?) > 0';
  const { rows, paging } = readPage<CampaignRow>(store, query.page, {
    sql: `${selectCampaign} ${where}`,
    order: 'created_at DESC, seq DESC',
    values: q === '' ? [] : [searchable(q)],
  });
  return {
    title: 'Campaigns',
    body: html`<div class="heading"><h1>Campaigns</h1>
${searchForm({ label: 'Search names and subjects', value: q })}</div>
${rows.length === 0 ? none(q) : campaignTable(rows, now)}
${pager(paging, { q })}`,
  };
}

function campaignTable(rows: readonly CampaignRow[], now: number): Html {
  return table({
    caption: 'Campaigns, newest first',
    columns: ['Campaign', 'Status', 'Sent', 'Delivered', 'Opened', 'Clicked', 'Created'],
    numbers: ['Sent', 'Delivered', 'Opened', 'Clicked'],
    rows: rows.map((row) => [
      html`<a href="/campaigns/${encodeURIComponent(row.id)}">${brief(row.name)}</a>
<div class="muted small">${brief(row.subject)}</div>`,
      campaignBadge(row.status),
      html`${count(row.sent)} <span class="muted">of ${count(row.total)}</span>`,
      count(row.delivered),
      count(row.opened),
      count(row.clicked),
      moment(row.createdAt, now),
    ]),
  });
}

function none(q: string): Html {
  if (q !== '') return html`<p>No campaign has ${brief(q)} in its name or subject.</p>`;
  return html`<div class="empty"><p>There are no campaigns yet. Send one to the sandbox's contact book:</p>
<pre class="wrap">mailer campaign create --sandbox --name Spring --from shop@example.com --subject News \\
  --book book_customers --now --html '&lt;a href="{{usesend_unsubscribe_url}}"&gt;Unsubscribe&lt;/a&gt;'</pre></div>`;
}
