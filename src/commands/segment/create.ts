import type { CreateSegmentBody, Segment } from '../../api/segment.ts';
import { defineCommand } from '../../lib/command-line/command/command.ts';
import { withCheckedBook } from '../../lib/command-line/command/names/books.ts';
import {
  allowDuplicateFlag,
  differs,
  existing,
  ifMissingFlag,
} from '../../lib/command-line/command/names/if-missing.ts';
import { rememberLastCreated } from '../../lib/command-line/command/names/last-made.ts';
import { nextCommand } from '../../lib/command-line/command/next-command.ts';
import { replyOf } from '../../lib/command-line/command/prints.ts';
import { done } from '../../lib/command-line/output/result.ts';
import { sayFieldsOfNobody } from '../../lib/people/segment/fields-of-nobody.ts';
import { rulesText } from '../../lib/people/segment/rules-text.ts';
import { readSegmentBody, rulesFor } from '../../lib/people/segment/segment-body.ts';
import { addSegmentFlags, segmentFlagOf } from '../../lib/people/segment/segment-flags.ts';
import { whereGrammar } from '../../lib/people/segment/where.ts';
import { namedBy } from '../../lib/service/http/named-by.ts';

export const command = defineCommand({
  description:
    'A segment is the contacts of a book that match all conditions (with --any, at least one) when it is used. A field is email, firstName, lastName, subscribed, or the name of a property; properties.NAME is always a property. Upper and lower case are different, except for ~ with email and names. Services cannot select contacts without a value. If a segment has this name already, it is an error; --if-missing prints the id of that segment, --allow-duplicate creates another one.',
  effects: { changes: true },
  exits: {
    4: 'the service does not offer segments',
    5: 'a segment has this name already; with --if-missing: its book or its conditions differ',
  },
  prints: [replyOf('segment.create')],
  takes: ['service', 'sandbox', 'dry runs', 'expected digests'],
  examples: {
    'mailer segment create --name Pro --book Customers --where plan=pro':
      'The contacts of a book with this property',
    'mailer segment create --name "Pro in York" --book Customers --where "plan in pro,team" --where city~York':
      'Both conditions',
  },
  grammar: whereGrammar,
  flags: (command) =>
    addSegmentFlags(command)
      .option(...ifMissingFlag)
      .option(...allowDuplicateFlag),
  async run(context, options) {
    const body = await readSegmentBody(context, options);
    const look = nextCommand(context, 'segment', 'list');
    const nameOf = namedBy(segmentFlagOf);
    const hintIfUnknown = `It may have been created. Check before you create it again:\n${look}`;
    const { reply, isNew } = await withCheckedBook(
      context,
      body.contactBookId,
      async (contactBookId, book) => {
        const made = { ...body, contactBookId, rules: rulesFor(context, body.rules, book) };
        const input = { body: made };
        const known = await existing(context, options, {
          kind: 'segment',
          name: made.name,
          list: () => context.call('segment.list', {}),
          operation: 'segment.create',
          input,
          nameOf,
        });
        if (known !== undefined) return { reply: same(known, made), isNew: false };
        const reply = await context.call('segment.create', input, { nameOf, hintIfUnknown });
        await sayFieldsOfNobody(context, contactBookId, made.rules, book?.variables ?? []);
        return { reply, isNew: true };
      },
    );
    if (!isNew) {
      const message = `Segment ${body.name} exists already. Nothing was created.`;
      return done({ reply, ids: [reply.id], message });
    }
    await rememberLastCreated(context, 'segment', reply.id);
    const preview = nextCommand(context, 'segment', 'preview', reply.id);
    const message = `Created segment ${reply.name ?? body.name}. To see who is in it: ${preview}`;
    return done({ reply, ids: [reply.id], message });
  },
});

/** A segment that has the name of another one, if it selects the same. Otherwise throws a `ConflictError`. */
function same(segment: Segment, { contactBookId, rules }: CreateSegmentBody): Segment {
  const isOther = segment.contactBookId != null && segment.contactBookId !== contactBookId;
  if (isOther) throw differs(segment, 'segment', 'but belongs to another contact book');
  const has = rulesText(segment.rules);
  if (has !== rulesText(rules)) throw differs(segment, 'segment', `but selects ${has}`);
  return segment;
}
