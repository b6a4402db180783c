import type { Reply } from '../../../api/operations.ts';
import { withHint } from '../../base/errors.ts';
import type { Context } from '../../command-line/command/context.ts';
import { rememberLastCreated } from '../../command-line/command/names/last-made.ts';
import { nextCommand } from '../../command-line/command/next-command.ts';
import { passBook } from '../../mail/message/pass-book.ts';
import { namedBy } from '../../service/http/named-by.ts';

interface NewBook {
  readonly segmentId: string;
  readonly name: string;
  readonly variables: readonly string[] | undefined;
}

/** Creates a contact book of a segment's contacts, with these variables, and keeps its id for `@last`. */
export async function createBookOfSegment(
  context: Context,
  { segmentId, name, variables }: NewBook,
): Promise<Reply<'segment.materialize'>> {
  const look = nextCommand(context, 'contact', 'book', 'list');
  const reply = await context.call(
    'segment.materialize',
    { params: { segmentId }, body: { name } },
    {
      hintIfUnknown: `The contact book may have been created. Check before you run it again:\n${look}`,
      nameOf: namedBy({ name: '--name' }),
    },
  );
  await rememberLastCreated(context, 'contact book', reply.listId);
  if (variables !== undefined) await setVariables(context, reply.listId, variables);
  return reply;
}

async function setVariables(
  context: Context,
  contactBookId: string,
  variables: readonly string[],
): Promise<void> {
  const body = { variables: [...variables] };
  const input = { params: { contactBookId }, body };
  const passed = await passBook(context, body, '');
  await context.callPassed(passed, 'contactBook.update', input).catch((error) => {
    const flags = variables.flatMap((one) => ['--add-variable', one]);
    const command = nextCommand(context, 'contact', 'book', 'update', contactBookId, ...flags);
    throw withHint(
      error,
      `The contact book was created, without variables. To add them: ${command}`,
    );
  });
}
