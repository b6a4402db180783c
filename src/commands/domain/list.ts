import type { Domain } from '../../api/domain.ts';
import { defineCommand } from '../../lib/command/command.ts';
import { replyOf } from '../../lib/command/prints.ts';
import { schemas } from '../../lib/json-schemas/load.ts';
import { type Column, list, status, time } from '../../lib/output/result.ts';

export const command = defineCommand({
  description: 'Each domain has a status, such as SUCCESS once it is verified.',
  effects: { reads: true },
  prints: [replyOf('domain.list', { line: schemas.domains('domain') })],
  takes: ['service', 'sandbox', 'lists', 'times'],
  examples: [
    ['mailer domain list', 'The domains this key can access'],
    ['mailer domain list --fields name,status', 'Two fields'],
  ],
  flags: (command) => command,
  async run(context) {
    const rows = await context.call('domain.list', {});
    return list<Domain>({
      pages: [{ rows }],
      columns,
      id: ({ id }) => String(id),
      empty: 'No domains.',
    });
  },
});

const columns: readonly Column<Domain>[] = [
  { field: 'id', header: 'Id', cell: ({ id }) => id },
  { field: 'name', header: 'Name', cell: ({ name }) => name, flexible: true },
  { field: 'status', header: 'Status', cell: (row) => status(row.status) },
  { field: 'region', header: 'Region', cell: ({ region }) => region },
  { field: 'createdAt', header: 'Created', cell: ({ createdAt }) => time(createdAt) },
];
