import type { Campaign, CampaignSummary } from '../../api/campaign.ts';
import { UsageError } from '../../lib/base/errors.ts';
import { askForValues } from '../../lib/command-line/command/ask/ask-for-values.ts';
import { defineCommand } from '../../lib/command-line/command/command.ts';
import type { Context } from '../../lib/command-line/command/context.ts';
import { addressesOf } from '../../lib/command-line/command/flags/address-flags.ts';
import { repeatableOption } from '../../lib/command-line/command/flags/repeatable.ts';
import { withoutDigest } from '../../lib/command-line/command/names/named-dry-run.ts';
import { replyOf } from '../../lib/command-line/command/prints.ts';
import { findCampaign } from '../../lib/mail/campaign/find-campaign.ts';
import { passCampaign } from '../../lib/mail/campaign/pass-campaign.ts';
import { testBody, unreadTest } from '../../lib/mail/campaign/test-body.ts';
import { emailTitles } from '../../lib/mail/email/titles.ts';
import { emailWait, waitFlag, waitFlags } from '../../lib/mail/email/wait/wait-flags.ts';
import { idempotencyKeyFlag } from '../../lib/mail/email/write/send-flags.ts';
import { waive } from '../../lib/mail/message/gate.ts';

export const command = defineCommand({
  description:
    "The email has the sender of the campaign, and [Test] before the subject. With --contact, it is what that contact of the book would get, sent to --to or, without it, to the contact. On a terminal, it then asks first; elsewhere, it needs --yes. Without --contact, placeholders are not filled in. The unsubscribe link leads nowhere, and there are no copies. It warns about placeholders that the campaign will not fill in either, because they are not variables of the contact book, and about those that are empty for some contacts. If a draft only has content of the dashboard's editor, the service renders it first, if it can.",
  effects: { mails: true },
  exits: {
    4: 'there is no such campaign, or its content cannot be shown',
    5: 'the idempotency key was used for another email',
    9: 'with --wait: it failed, such as BOUNCED',
    10: 'with --wait: the wait timed out',
  },
  prints: [
    replyOf('email.send', { columns: emailTitles }),
    replyOf('email.get', {
      when: '--wait',
      what: 'the last response to `GET /v1/emails/{emailId}`',
      columns: emailTitles,
    }),
  ],
  takes: ['service', 'sandbox', 'dry runs', 'confirmation', 'times'],
  examples: {
    'mailer campaign test "News of March" --to me@example.org': 'Send yourself a test',
    'mailer campaign test @last --contact ana@example.org --to me@example.org':
      'As Ana would get it, but sent to you',
    'mailer campaign test @last --to me@example.org --wait': 'The one you just created',
  },
  flags: (command) =>
    command
      .argument('<campaign>', 'id or exact name; @last for the last one created here')
      .addOption(
        repeatableOption('--to <addresses>', 'recipients; repeat, or separate with commas'),
      )
      .option('--contact <contact>', 'fill in the values of this contact: id or address')
      .option(...idempotencyKeyFlag)
      .addOption(waitFlag())
      .option(...waitFlags.waitTimeout)
      .option(...waitFlags.heartbeat),
  async run(context, options, named) {
    const wait = emailWait(options);
    const given = await addressesOf(options.to, '--to');
    const made = await makeTest(context, named, given, options.contact);
    const { body, notes, passed } = made;
    const request = { body, passed, settled: {} };
    context.notes.say(...notes);
    const { idempotencyKey } = options;
    const { sendAndShow } = await import('../../lib/mail/email/send/send-and-show.ts');
    const [{ emailUnder }, { policy }] = await Promise.all([
      import('../../lib/service/policy/email-under.ts'),
      context.policy(),
    ]);
    const examined = emailUnder(policy, body);
    if (made.contact !== undefined) {
      const who = [examined.email.to].flat().join(', ');
      await context.prompts.confirm(
        `Send a test to ${who}, as contact ${made.contact} would get it?`,
      );
    }
    // A dry run shows words in place of the campaign's.
    return await withoutDigest(() =>
      sendAndShow(context, request, { idempotencyKey, wait, examined }),
    );
  },
});

async function makeTest(
  context: Context,
  named: string,
  given: string | string[] | undefined,
  contact: string | undefined,
) {
  const to = given ?? (contact === undefined ? await askTo(context) : undefined);
  if (context.flags.dryRun === true) {
    return { ...unreadTest(named, to ?? contact ?? ''), passed: waive('dry run') };
  }
  const campaign: CampaignSummary & Partial<Campaign> = await findCampaign(context, named);
  const found =
    contact === undefined
      ? undefined
      : await (await import('../../lib/mail/campaign/contact-of-test.ts')).contactOfTest(
          context,
          campaign,
          contact,
        );
  const { email = '', subscribed } = found?.contact ?? {};
  if (to === undefined && subscribed === false) {
    throw new UsageError(`${email} is not subscribed, so the campaign does not mail them`, {
      hint: 'Nothing was sent. To send the test to yourself, add --to ADDRESS.',
    });
  }
  const made = await testBody(context, campaign, to ?? email, found?.lookup);
  const { contactBookId } = campaign;
  // What a start would stop for is only said of a test.
  const undone = 'Nothing was sent';
  const { passed } = await passCampaign(context, campaign, { door: 'test', undone, contactBookId });
  return { ...made, passed, contact: found && email };
}

async function askTo({ prompts }: Context): Promise<string | string[]> {
  const need = { flag: '--to', question: 'To', value: undefined } as const;
  const [answer = ''] = await askForValues([need], prompts);
  return (await addressesOf([answer], '--to')) ?? answer;
}
