import type { Context } from '../command/context.ts';
import { nextCommand } from '../command/next-command.ts';
import { type Column, prose, type Result, record, status, time } from '../output/result.ts';
import type { OutboxDetail, OutboxEntry } from './outbox-shapes.ts';

/** One entry in detail, with what to do next. */
export function showEntry(context: Context, entry: OutboxEntry | OutboxDetail): Result {
  const { id, state } = entry;
  return record({
    reply: entry,
    quiet: id,
    carriedOut: { ids: [id] },
    rows: [
      ['id', 'ID', id],
      ['state', 'State', status(state)],
      ['command', 'Command', entry.command],
      ['from', 'From', entry.from],
      ['recipients', 'Recipients', entry.recipients],
      ['domains', 'Domains', prose(domainsInWords(entry))],
      ['first', 'First', entry.first],
      ['subject', 'Subject', entry.subject],
      ['scheduledAt', 'When', time(entry.scheduledAt)],
      ['campaign', 'Campaign', entry.campaign],
      ['findings', 'Findings', entry.findings],
      ['why', 'Why', entry.why],
      ['profile', 'Profile', entry.profile],
      ['baseUrl', 'Base URL', entry.baseUrl],
      ['digest', 'Digest', entry.digest],
      ['preparedAt', 'Prepared', time(entry.preparedAt)],
      ['expiresAt', 'Expires', time(entry.expiresAt)],
      ['run', 'Run', entry.run],
      ['ids', 'Created', entry.ids],
    ],
    ...(state === 'pending' && {
      note: `Nothing was sent. A person approves it at a terminal: ${nextCommand(context, 'outbox', 'approve', id)}`,
    }),
    ...((state === 'approved' || state === 'begun') && {
      note: `To send it: ${nextCommand(context, 'outbox', 'send', id)}`,
    }),
  });
}

/** Such as `example.org (240), example.com (3)`. */
export function domainsInWords({ domains }: Pick<OutboxEntry, 'domains'>): string {
  return domains.map(({ domain, recipients }) => `${domain} (${recipients})`).join(', ');
}

/** The columns of a list of entries. */
export const entryColumns: readonly Column<OutboxEntry>[] = [
  { field: 'id', header: 'ID' },
  { field: 'state', header: 'State', cell: ({ state }) => status(state) },
  { field: 'command', header: 'Command', flexible: true },
  { field: 'recipients', header: 'Recipients' },
  { field: 'subject', header: 'Subject', flexible: true },
  { field: 'profile', header: 'Profile', onlyFor: ({ profile }) => profile !== null },
  { field: 'expiresAt', header: 'Expires', cell: ({ expiresAt }) => time(expiresAt) },
];
