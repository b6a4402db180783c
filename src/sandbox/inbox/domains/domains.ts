import type { Hono } from 'hono';
import { html } from 'hono/html';
import type { AccountService } from '../../http/account-service.ts';
import {
  type FoundDomain,
  type ShownDomain,
  storedDomain,
  storedDomains,
} from '../../model/domains.ts';
import { badge, statusWords, type Tone } from '../page/badge.ts';
import { copyable } from '../page/copyable.ts';
import type { Html } from '../page/html.ts';
import { moment } from '../page/moment.ts';
import { count, pager, pagingOf, rowsPerPage } from '../page/paging.ts';
import { type Asked, type SectionPage, sectionPages } from '../page/section.ts';
import { table } from '../page/table.ts';
import { brief, truncated } from '../page/words.ts';

type DnsRecord = ShownDomain['dnsRecords'][number];

function none(): Html {
  return html`<div class="empty"><p>There are no domains yet, so you cannot send messages. Add and verify one:</p>
<pre class="wrap">mailer domain add example.com --region us-east-1 --sandbox
mailer domain verify example.com --sandbox --wait</pre></div>`;
}

/** The list of domains, and each with its DNS records. */
export function domainPages(service: AccountService): Hono {
  return sectionPages(service, '/domains', {
    list,
    find: (store, id) => (/^\d{1,15}$/.test(id) ? storedDomain(store, Number(id)) : undefined),
    show: domainPage,
  });
}

function list({ store, query, now }: Asked): SectionPage {
  const total = store.value<number>('SELECT count(*) FROM domains') ?? 0;
  const paging = pagingOf(query.page, total);
  const domains = storedDomains(store, rowsPerPage, paging.offset);
  const body = html`<h1>Domains</h1>
${domains.length === 0 ? none() : domainTable(domains, now)}
${pager(paging)}`;
  return { title: 'Domains', body };
}

function domainTable(domains: readonly ShownDomain[], now: number): Html {
  return table({
    caption: 'Domains, newest first',
    columns: ['Domain', 'Status', 'Missing records', 'Region', 'Created'],
    rows: domains.map((domain) => [
      html`<a href="/domains/${domain.id}">${brief(domain.name)}</a>`,
      domainBadge(domain),
      missingWords(missing(domain)),
      brief(domain.region),
      moment(Date.parse(domain.createdAt), now),
    ]),
  });
}

function domainPage(domain: FoundDomain, { now }: Asked): SectionPage {
  const missingRecords = missing(domain);
  const { lastCheckedTime: checked } = domain;
  return {
    title: truncated(domain.name),
    body: html`<div class="heading"><p class="up"><a href="/domains">All domains</a></p>
<h1>${brief(domain.name)}</h1></div>
<section class="panel" aria-labelledby="status"><h2 id="status">Status</h2>
<div id="status-now" data-renew><p>${domainBadge(domain)} ${statusSentence(domain, missingRecords)}</p>
${domain.errorMessage === null ? '' : html`<p>The last verification failed: ${brief(domain.errorMessage, 1000)}</p>`}
<dl class="facts">
<dt>Missing</dt><dd>${missingWords(missingRecords)}</dd>
<dt>Region</dt><dd>${brief(domain.region)}</dd>
<dt>Checked</dt><dd>${checked === null ? 'never' : moment(Date.parse(checked), now)}</dd>
<dt>Created</dt><dd>${moment(Date.parse(domain.createdAt), now)}</dd>
<dt>ID</dt><dd><code>${domain.id}</code></dd>
</dl></div></section>
<section class="part" aria-labelledby="records"><h2 id="records">DNS records</h2>
<p class="muted">Click a name or a value to select it.</p>
<div id="records-now" data-renew>${recordTable(domain)}</div></section>`,
  };
}

function statusSentence(domain: ShownDomain, missingRecords: readonly DnsRecord[]): Html {
  if (domain.isVerifying)
    return html`Verification in progress. It ends with the next request for this domain, such as <code>mailer domain get ${domain.id}</code>, or after an hour.`;
  if (domain.status === 'SUCCESS') {
    return missingRecords.length === 0
      ? html`You can send mail from this domain.`
      : html`You can send mail from this domain. The missing records are recommended, not required.`;
  }
  return html`Mail from this domain is rejected. Publish its DNS records, then run <code>mailer domain verify ${domain.id}</code>.`;
}

function recordTable(domain: ShownDomain): Html {
  const registered = registeredName(domain);
  return table({
    caption: `DNS records of ${truncated(domain.name)}`,
    columns: ['Record', 'Name', 'Value', 'Priority', 'TTL', 'Status'],
    rows: domain.dnsRecords.map((record) => [
      purpose(record),
      html`${copyable(record.name, `name of ${purpose(record)}`)}
<div class="muted small">${brief(`${record.name}.${registered}`)}</div>`,
      copyable(record.value, `value of ${purpose(record)}`),
      record.priority ?? '–',
      record.ttl,
      recordBadge(record),
    ]),
  });
}

/** The name that names of records are relative to. */
function registeredName({ name, subdomain }: ShownDomain): string {
  return subdomain === '' ? name : name.slice(subdomain.length + 1);
}

/** A record's type and purpose. */
function purpose(record: DnsRecord): string {
  if (record.type === 'MX') return 'MX (bounces)';
  if (record.name.includes('._domainkey')) return 'TXT (DKIM)';
  if (record.name.startsWith('_dmarc')) return 'TXT (DMARC)';
  return 'TXT (SPF)';
}

function missing(domain: ShownDomain): DnsRecord[] {
  return domain.dnsRecords.filter(({ status }) => status !== 'SUCCESS');
}

function missingWords(records: readonly DnsRecord[]): string {
  if (records.length === 0) return 'none';
  const names = records.map(
    (record) => `${purpose(record)}${isRecommended(record) ? ', recommended' : ''}`,
  );
  return `${count(records.length)}: ${names.join('; ')}`;
}

function isRecommended(record: DnsRecord): boolean {
  return 'recommended' in record && record.recommended === true;
}

const tones: Readonly<Record<string, Tone>> = {
  SUCCESS: 'good',
  PENDING: 'accent',
  FAILED: 'bad',
  TEMPORARY_FAILURE: 'warn',
};

function domainBadge({ status, isVerifying }: ShownDomain): Html {
  const words = status === 'SUCCESS' ? 'Verified' : statusWords(status);
  return html`${badge(words, tones[status] ?? 'neutral')}${isVerifying ? html` ${badge('Verifying', 'accent')}` : ''}`;
}

function recordBadge(record: DnsRecord): Html {
  const words = record.status === 'SUCCESS' ? 'Found' : statusWords(record.status);
  const shown = badge(words, tones[record.status] ?? 'neutral');
  return isRecommended(record)
    ? html`${shown} <span class="muted small">recommended</span>`
    : shown;
}
