import type { TemplateListItem } from '../../api/template.ts';
import { schemas } from '../../json-schemas/load.ts';
import { defineCommand } from '../../lib/command-line/command/command.ts';
import { replyOf } from '../../lib/command-line/command/prints.ts';
import { type Column, list, time } from '../../lib/command-line/output/result.ts';

export const command = defineCommand({
  description: 'Several templates can have the same name.',
  effects: { reads: true },
  exits: { 4: 'the service does not offer templates' },
  prints: [replyOf('template.list', { line: schemas.templates('templateListItem') })],
  takes: ['service', 'sandbox', 'lists', 'times'],
  examples: {
    'mailer template list': 'All templates, the newest first',
    'mailer template list --fields id,name': 'Two fields',
  },
  async run(context) {
    const rows = await context.call('template.list', {});
    return list<TemplateListItem>({
      pages: [{ rows }],
      columns,
      id: ({ id }) => id,
      empty: 'No templates.',
    });
  },
});

const columns: readonly Column<TemplateListItem>[] = [
  { field: 'id', header: 'Id' },
  { field: 'name', header: 'Name', flexible: true },
  { field: 'subject', header: 'Subject', flexible: true },
  { field: 'createdAt', header: 'Created', cell: ({ createdAt }) => time(createdAt) },
];
