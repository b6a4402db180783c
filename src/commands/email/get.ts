import { schemas } from '../../json-schemas/load.ts';
import { UsageError } from '../../lib/base/errors.ts';
import { defineCommand } from '../../lib/command-line/command/command.ts';
import type { Context } from '../../lib/command-line/command/context.ts';
import { idGiven } from '../../lib/command-line/command/names/last-made.ts';
import { replyOf, rowsOf } from '../../lib/command-line/command/prints.ts';
import type { ListResult } from '../../lib/command-line/output/result.ts';
import { openPreview } from '../../lib/mail/content/preview-page.ts';
import { showEmail } from '../../lib/mail/email/show-email.ts';
import { listedIfUnreported } from '../../lib/mail/email/wait/listed-if-unreported.ts';
import { type Waited, waitForEmail } from '../../lib/mail/email/wait/wait.ts';
import { emailWait, waitFlag, waitFlags } from '../../lib/mail/email/wait/wait-flags.ts';

export const command = defineCommand({
  description:
    'The history has the events of each recipient, oldest first. With --wait, it returns once the email is delivered to every recipient, copies included, or fails for one of them. If the response does not name the copies, they are read from the list of emails. Several ids print a list, and so does -, which reads ids from stdin: one per line, the first column of a table, with or without the header id, or JSON Lines with the field id or emailId.',
  effects: { reads: true },
  exits: {
    4: 'there is no such email; of several, none',
    9: 'with --wait: it failed, such as BOUNCED',
    10: 'with --wait: the wait timed out',
    11: 'some of the emails do not exist; the error names them',
  },
  prints: [
    replyOf('email.get'),
    rowsOf('the emails, in the order of the ids', schemas.emails('email'), {
      when: 'several ids, or -',
    }),
  ],
  takes: ['service', 'sandbox', 'lists', 'times'],
  examples: {
    'mailer email get cm3k9x2f8000008l4': 'Show an email and what has happened to it',
    'mailer email get cm3k9x2f8000008l4 --wait=OPENED': 'Wait until it has been opened',
    'mailer email get @last --open': 'Show your last email in the browser',
    'mailer email get cm3k9x2f8000008l4 --json --fields emailEvents.status': 'Only the statuses',
    'mailer email get - --jsonl':
      'The emails whose ids are on stdin, such as those of email list --quiet',
  },
  offers: { id: 'emails' },
  flags: (command) =>
    command
      .argument('<id...>', 'ids of emails; @last for the last one sent here; - for ids on stdin')
      .addOption(waitFlag())
      .option(...waitFlags.waitTimeout)
      .option(...waitFlags.heartbeat)
      .option('--open', 'also show it in the browser'),
  async run(context, options, given) {
    const wait = emailWait(options);
    if (wait !== undefined) refuseStatusAmong(given);
    const ids = await Promise.all(given.map((id) => idGiven(context, 'email', id)));
    const [emailId = ''] = ids;
    if (ids.length > 1 || emailId === '-' || context.format() === 'csv') {
      if (wait !== undefined) throw new UsageError('--wait takes one id, without --csv');
      if (options.open === true) throw new UsageError('--open takes one id, without --csv');
      return await several(context, ids);
    }
    const { email, failure }: Waited =
      wait === undefined
        ? { email: await context.call('email.get', { params: { emailId } }) }
        : await waitForEmail(context, emailId, wait);
    if (email === undefined) throw failure;
    if (options.open === true) {
      await openPreview(context, [email], email.subject ?? email.id);
    }
    const listed = await listedIfUnreported(context, email);
    const { fromHere } = await import('../../lib/command-line/log/from-here.ts');
    const note = await fromHere(context, { id: email.id });
    return { ...showEmail(email, listed), note, failure };
  },
});

/** Throws a `UsageError` if one of several ids is rather the status to wait for. */
function refuseStatusAmong(given: readonly string[]): void {
  const meant = given.length > 1 ? given.find((one) => /^[A-Z_]+$/.test(one)) : undefined;
  if (meant === undefined) return;
  throw new UsageError(`--wait ${meant}: a value of --wait needs an equals sign`, {
    hint: `Write --wait=${meant}`,
  });
}

async function several(context: Context, ids: readonly string[]): Promise<ListResult> {
  const [{ emailsById }, { idsOnStdin }] = await Promise.all([
    import('../../lib/runs/find/emails-by-id.ts'),
    import('../../lib/runs/find/ids-given.ts'),
  ]);
  if (!ids.includes('-')) return emailsById(context, new Set(ids));
  if (ids.length > 1)
    throw new UsageError('- reads the ids from stdin, so no other ids can be given');
  return emailsById(context, idsOnStdin(context));
}
