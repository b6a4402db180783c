import { defineCommand } from '../../lib/command/command.ts';
import { withCheckedBook } from '../../lib/command/names/books.ts';
import { rememberMade } from '../../lib/command/names/last-made.ts';
import { nextCommand } from '../../lib/command/next-command.ts';
import { done } from '../../lib/output/result.ts';
import { readSegmentBody, rulesFor } from '../../lib/segment/segment-body.ts';
import { addSegmentFlags, segmentFlagOf } from '../../lib/segment/segment-flags.ts';
import { whereGrammar } from '../../lib/segment/where.ts';

const flagNames: Readonly<Record<string, string>> = segmentFlagOf;

export const command = defineCommand({
  takes: ['service', 'sandbox', 'dry runs'],
  examples: [
    [
      'mailer segment create --name Pro --book Customers --where plan=pro',
      'The contacts of a book with this property',
    ],
    [
      'mailer segment create --name "Pro in York" --book Customers --where "plan in pro,team" --where city~York',
      'Both conditions',
    ],
  ],
  grammar: whereGrammar,
  flags: addSegmentFlags,
  async run(context, options) {
    const body = await readSegmentBody(context, options);
    const look = nextCommand(context, 'segment', 'list');
    const reply = await withCheckedBook(context, body.contactBookId, (contactBookId, book) =>
      context.call(
        'segment.create',
        { body: { ...body, contactBookId, rules: rulesFor(context, body.rules, book) } },
        {
          nameOf: (field) => flagNames[field],
          hintIfUnknown: `It may have been created. Check before you create it again:\n${look}`,
        },
      ),
    );
    await rememberMade(context, 'segment', reply.id);
    const preview = nextCommand(context, 'segment', 'preview', reply.id);
    const message = `Created segment ${reply.name ?? body.name}. To see who is in it: ${preview}`;
    return done({ reply, ids: [reply.id], message });
  },
});
