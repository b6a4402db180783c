import { schemas } from '../../json-schemas/load.ts';
import { defineCommand } from '../../lib/command-line/command/command.ts';
import { rowsOf } from '../../lib/command-line/command/prints.ts';
import { list } from '../../lib/command-line/output/result.ts';
import type { EventRow } from '../../lib/command-line/webhook/webhook-shapes.ts';
import { eventTypes, unsentTypes } from '../../shared/webhook/event-types.ts';

export const command = defineCommand({
  description:
    'Some events are declared, but no service sends them yet; a handler must accept them all the same. --json has the JSON Schema of the data of each event.',
  effects: {},
  prints: [rowsOf('the events', schemas.webhook('eventRow'))],
  takes: ['lists'],
  withoutAccount: true,
  examples: {
    'mailer webhook events': 'All events, with their fields',
    'mailer webhook events --jq \'.[] | select(.type == "email.bounced").schema\'':
      'The JSON Schema of the data of a bounce',
  },
  async run() {
    const { dataJsonSchema } = await import('../../shared/webhook/events.ts');
    const rows = eventTypes.map((type): EventRow => {
      const schema = dataJsonSchema(type);
      const sent = !unsentTypes.includes(type);
      return { type, sent, fields: [...(schema.required ?? [])], schema };
    });
    return list<EventRow>({
      pages: [{ rows }],
      columns: [
        { field: 'type', header: 'Event' },
        { field: 'sent', header: 'Sent', cell: ({ sent }) => (sent ? 'yes' : 'no') },
        {
          field: 'fields',
          header: 'Fields of data',
          cell: ({ fields }) => fields.join(', '),
          flexible: true,
          folds: true,
        },
      ],
      id: ({ type }) => type,
      empty: '',
    });
  },
});
