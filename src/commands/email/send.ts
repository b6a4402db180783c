import type { SendBody } from '../../api/email.ts';
import { defineCommand } from '../../lib/command/command.ts';
import { waitStatuses } from '../../lib/email/outcome.ts';
import { sendAndShow } from '../../lib/email/send-and-show.ts';
import { readSendRequest } from '../../lib/email/send-body.ts';
import { addSendFlags, idempotencyKeyFlag } from '../../lib/email/send-flags.ts';
import { emailWait, waitFlags } from '../../lib/email/wait-flags.ts';
import { UsageError } from '../../lib/errors.ts';
import type { NameOf } from '../../lib/http/check.ts';

export const command = defineCommand({
  takes: ['service', 'sandbox', 'dry runs', 'confirmation', 'times'],
  examples: [
    [
      'mailer email send --to ana@example.org --from hello@example.com --subject Hi --text Hello',
      'Send a plain email',
    ],
    [
      'mailer email send --to ana@example.org --template tmpl_welcome --var name=Ana --text "Welcome, Ana" --scheduled-at "tomorrow 9am"',
      'Send a template tomorrow morning',
    ],
    [
      'report | mailer email send --to ops@example.org --subject Report --text-file -',
      'Send what a program prints',
    ],
  ],
  offers: { '--wait': waitStatuses, '--in-reply-to': 'emails', '--from': 'senders' },
  flags: (command) =>
    addSendFlags(command)
      .option(...idempotencyKeyFlag)
      .option(...waitFlags.wait)
      .option(...waitFlags.waitTimeout),
  async run(context, options) {
    const wait = emailWait(options);
    if (options.open === true && options.preview !== true) {
      throw new UsageError('--open needs --preview');
    }
    if (options.preview === true) {
      const { previewEmail, refuseBesidePreview } = await import('../../lib/email/preview.ts');
      refuseBesidePreview(options, ['wait', 'waitTimeout', 'idempotencyKey']);
      const { body, nameOf } = await readSendRequest(context, options);
      await checkSend(body, nameOf);
      return await previewEmail(context, body, options.open === true);
    }
    const request = await readSendRequest(context, options);
    const { body } = request;
    if (request.asked) {
      await checkSend(body, request.nameOf);
      const { confirmSend } = await import('../../lib/email/confirm-send.ts');
      await confirmSend(body, context);
    }
    return await sendAndShow(context, request, { idempotencyKey: options.idempotencyKey, wait });
  },
});

/** Throws a `UsageError` for what the service would reject. */
async function checkSend(body: SendBody, nameOf: NameOf): Promise<void> {
  const [{ sendEmail }, { checkInput }] = await Promise.all([
    import('../../api/email.ts'),
    import('../../lib/http/check.ts'),
  ]);
  checkInput(sendEmail, { body }, nameOf);
}
