import type { SampleContact } from '../../api/segment.ts';
import { defineCommand } from '../../lib/command-line/command/command.ts';
import { replyOf } from '../../lib/command-line/command/prints.ts';
import { record, section } from '../../lib/command-line/output/result.ts';
import { sayFieldsOfNobody } from '../../lib/people/segment/fields-of-nobody.ts';
import { withSegment } from '../../lib/people/segment/find-segment.ts';

export const command = defineCommand({
  description: 'It counts the contacts that match the conditions now, and shows some of them.',
  effects: { reads: true },
  exits: { 4: 'there is no such segment, or the service does not offer segments' },
  prints: [replyOf('segment.preview')],
  takes: ['service', 'sandbox'],
  examples: {
    'mailer segment preview Pro': 'How many contacts it has now, and some of them',
    'mailer segment preview Pro --quiet': 'Only the number',
  },
  quiet: 'only the number of contacts',
  flags: (command) =>
    command.argument('<segment>', 'id or exact name; @last for the last one created here'),
  run: (context, _options, named) =>
    withSegment(context, named, async (segmentId, segment) => {
      await sayFieldsOfNobody(context, segment?.contactBookId, segment?.rules);
      const reply = await context.call('segment.preview', { params: { segmentId } });
      return record({
        reply,
        quiet: String(reply.count),
        rows: [['count', 'Contacts', reply.count]],
        sections: [
          section<SampleContact>({
            title: 'Some of them',
            field: 'sample',
            columns: [
              { field: 'email', header: 'Email', flexible: true },
              { field: 'firstName', header: 'First name' },
              { field: 'lastName', header: 'Last name' },
            ],
            rows: reply.sample ?? [],
            empty: 'No contact matches the conditions.',
          }),
        ],
      });
    }),
});
