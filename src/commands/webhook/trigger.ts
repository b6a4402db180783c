import { Option } from '@commander-js/extra-typings';
import { schemas } from '../../json-schemas/load.ts';
import { parseChoice } from '../../lib/base/input/choice.ts';
import { parseInteger } from '../../lib/base/input/numbers.ts';
import { defineCommand } from '../../lib/command-line/command/command.ts';
import { repeatableOption } from '../../lib/command-line/command/flags/repeatable.ts';
import { documentOf } from '../../lib/command-line/command/prints.ts';
import { allowRemoteFlag, handlerUrl } from '../../lib/command-line/webhook/handler-url.ts';
import { readSecret, secretFlag } from '../../lib/command-line/webhook/secret.ts';
import { eventTypes, mostAttempts } from '../../shared/webhook/event-types.ts';

export const command = defineCommand({
  description:
    'It sends the call once, as a service does: signed, with ten seconds for the response, without following redirects. The data is that of webhook example, unless --set changes it.',
  effects: { local: true },
  exits: { 9: 'the handler did not respond with 2xx' },
  prints: [documentOf('the call and the response', schemas.webhook('sentCall'))],
  withoutAccount: true,
  quiet: 'only the id of the call',
  offers: { event: eventTypes },
  examples: {
    'mailer webhook trigger email.delivered --to localhost:3000/webhooks':
      'Send a call, signed with MAILER_WEBHOOK_SECRET',
    'mailer webhook trigger email.bounced --to localhost:3000 --set data.to=ben@example.org':
      'The same with another recipient',
    'mailer webhook trigger email.opened --to localhost:3000 --attempt 3 --secret-file secret':
      'As the third attempt',
  },
  flags: (command) =>
    command
      .argument('<event>', 'such as email.delivered')
      .option('--to <url>', 'URL of the handler')
      .addOption(
        repeatableOption('--set <name=value>', 'change a field, such as data.subject=Hi; repeat'),
      )
      .addOption(
        new Option('--attempt <n>', `send as attempt 1 to ${mostAttempts} (default: 1)`).argParser(
          parseInteger('--attempt', { min: 1, max: mostAttempts }),
        ),
      )
      .option(...secretFlag)
      .option(...allowRemoteFlag),
  async run(context, options, word) {
    const { system } = context;
    const event = parseChoice('EVENT', eventTypes)(word);
    const url = handlerUrl(options.to, '--to', options.allowRemote);
    const secret = await readSecret(options.secretFile, context);
    const [{ exampleCall }, { callText, callHeaders }, { openSender }, { showSent }] =
      await Promise.all([
        import('../../lib/command-line/webhook/example-call.ts'),
        import('../../shared/webhook/call.ts'),
        import('../../lib/command-line/webhook/send-call.ts'),
        import('../../lib/command-line/webhook/show-sent.ts'),
      ]);
    const { attempt, set } = options;
    const now = system.now();
    const call = exampleCall(event, { now, id: `call_${system.uuid()}`, attempt, set });
    const body = callText(call);
    const sender = await openSender(system, secret);
    try {
      const headers = callHeaders(call, body, { secret, now });
      return showSent({ ...call, url: url.href }, await sender.send({ url, headers, body }));
    } finally {
      await sender.close();
    }
  },
});
