import { schemas } from '../../json-schemas/load.ts';
import { defineCommand } from '../../lib/command-line/command/command.ts';
import { nothingToDo } from '../../lib/command-line/command/flags/allow-empty.ts';
import { idGiven } from '../../lib/command-line/command/names/last-made.ts';
import { documentOf, replyOf } from '../../lib/command-line/command/prints.ts';
import { cancelOne, cancelSeveral } from '../../lib/mail/email/cancel.ts';

export const command = defineCommand({
  description:
    'The email must not have been sent yet. With -, it reads ids from stdin as email get does, and cancels each of these emails, also if others cannot be cancelled.',
  effects: { changes: true },
  exits: {
    1: 'the email is no longer scheduled',
    4: 'there is no such email',
    11: 'some of the emails could not be cancelled; the error names them',
  },
  prints: [
    replyOf('email.cancel'),
    documentOf('the outcome for each email', schemas.cancelled('cancelledList'), { when: '-' }),
  ],
  takes: ['service', 'sandbox', 'dry runs', 'expected digests'],
  examples: {
    'mailer email cancel cm3k9x2f8000008l4': 'Cancel a scheduled email',
    'mailer email cancel - < ids.txt': 'Cancel what email list --status scheduled -q prints',
  },
  offers: { id: 'scheduled emails' },
  flags: (command) =>
    command
      .argument(
        '<id>',
        'id of a scheduled email; @last for the last one sent here; - for ids on stdin',
      )
      .option('--allow-empty', 'end with 0 if stdin has no ids'),
  async run(context, { allowEmpty }, given) {
    if (given !== '-') return await cancelOne(context, await idGiven(context, 'email', given));
    const { idsOnStdin } = await import('../../lib/runs/find/ids-given.ts');
    // A line that is no id is an error before anything is cancelled.
    const ids: string[] = [];
    for await (const id of idsOnStdin(context)) ids.push(id);
    if (ids.length === 0 && allowEmpty !== true) {
      throw nothingToDo('There are no ids on stdin.', 'Nothing was cancelled.');
    }
    return await cancelSeveral(context, ids);
  },
});
