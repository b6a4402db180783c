import type { Segment } from '../../api/segment.ts';
import { schemas } from '../../json-schemas/load.ts';
import { defineCommand } from '../../lib/command-line/command/command.ts';
import { replyOf } from '../../lib/command-line/command/prints.ts';
import { type Column, list, time } from '../../lib/command-line/output/result.ts';
import { rulesText } from '../../lib/people/segment/rules-text.ts';

export const command = defineCommand({
  description: 'It shows the conditions of each segment as segment create takes them.',
  effects: { reads: true },
  exits: { 4: 'the service does not offer segments' },
  prints: [replyOf('segment.list', { line: schemas.segments('segment') })],
  takes: ['service', 'sandbox', 'lists', 'times'],
  examples: {
    'mailer segment list': 'All segments with their conditions',
    'mailer segment list --fields id,name': 'Two fields',
  },
  async run(context) {
    const rows = await context.call('segment.list', {});
    return list<Segment>({
      pages: [{ rows }],
      columns,
      id: ({ id }) => id,
      empty: 'No segments.',
    });
  },
});

const columns: readonly Column<Segment>[] = [
  { field: 'id', header: 'Id' },
  { field: 'name', header: 'Name', flexible: true },
  { field: 'contactBookId', header: 'Book' },
  {
    field: 'rules',
    header: 'Conditions',
    cell: ({ rules }) => rulesText(rules),
    flexible: true,
    inWords: true,
  },
  { field: 'createdAt', header: 'Created', cell: ({ createdAt }) => time(createdAt) },
];
