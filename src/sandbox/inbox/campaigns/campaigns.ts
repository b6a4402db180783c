import { Hono } from 'hono';
import { html } from 'hono/html';
import type { AccountService } from '../../http/account-service.ts';
import { type CampaignRow, searchable, selectCampaign } from '../../model/campaign/campaigns.ts';
import type { Html } from '../page/html.ts';
import { page } from '../page/layout.ts';
import { moment } from '../page/moment.ts';
import { notFound } from '../page/not-found.ts';
import { count, pager, readPage } from '../page/paging.ts';
import { searchedFor, searchForm } from '../page/search-form.ts';
import { table } from '../page/table.ts';
import { brief } from '../page/words.ts';
import { campaignBadge, campaignDetails } from './campaign.ts';

/** The list of campaigns, and each with its status and messages. */
export function campaignPages({ store, clock }: AccountService): Hono {
  const app = new Hono();

  app.get('/', (context) => {
    const q = searchedFor(context.req.query('q'));
    const where = q === '' ? '' : 'WHERE instr(search_text, ?) > 0';
    const values = q === '' ? [] : [searchable(q)];
    const { rows, paging } = readPage<CampaignRow>(store, context.req.query('page'), {
      sql: `${selectCampaign} ${where}`,
      order: 'created_at DESC, seq DESC',
      values,
    });
    return context.html(
      page({
        store,
        title: 'Campaigns',
        section: '/campaigns',
        body: html`<div class="heading"><h1>Campaigns</h1>
${searchForm({ label: 'Search names and subjects', value: q })}</div>
${rows.length === 0 ? none(q) : campaignTable(rows, clock())}
${pager(paging, { q })}`,
      }),
    );
  });

  app.get('/:id', (context) => {
    const { id } = context.req.param();
    const campaign = store.one<CampaignRow>(`${selectCampaign} WHERE id = ?`, id);
    if (campaign === undefined) return notFound(context, store, '/campaigns', id);
    return context.html(campaignDetails(store, campaign, context.req.query(), clock()));
  });

  return app;
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
