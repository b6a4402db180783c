import { schemas } from '../../json-schemas/load.ts';
import { defineCommand } from '../../lib/command-line/command/command.ts';
import { documentOf } from '../../lib/command-line/command/prints.ts';
import { allowRemoteFlag, handlerUrl } from '../../lib/command-line/webhook/handler-url.ts';
import { readSecret, secretFlag } from '../../lib/command-line/webhook/secret.ts';

export const command = defineCommand({
  description:
    'It sends a call that webhook listen received or the sandbox sent: the same body with a new timestamp and signature, or byte for byte with --as-recorded, which handlers reject after five minutes.',
  effects: { local: true },
  exits: { 4: 'there is no such call', 9: 'the handler did not respond with 2xx' },
  prints: [documentOf('the call and the response', schemas.webhook('sentCall'))],
  withoutAccount: true,
  quiet: 'only the id of the call',
  examples: {
    'mailer webhook replay rcv_mhz5k2a8_000001 --to localhost:3000/webhooks':
      'Send it again, signed anew',
  },
  flags: (command) =>
    command
      .argument('<id>', 'id from webhook log')
      .option('--to <url>', 'URL of the handler')
      .option('--as-recorded', 'with the timestamp and signature as received')
      .option(...secretFlag)
      .option(...allowRemoteFlag),
  async run(context, options, id) {
    const { system } = context;
    const url = handlerUrl(options.to, '--to', options.allowRemote);
    const secret = options.asRecorded ? undefined : await readSecret(options.secretFile, context);
    const [{ callById }, { endToEnd }, { callSignature }, { openSender }, { showSent }] =
      await Promise.all([
        import('../../lib/command-line/webhook/kept-calls.ts'),
        import('../../lib/command-line/webhook/listen-server.ts'),
        import('../../shared/webhook/signature.ts'),
        import('../../lib/command-line/webhook/send-call.ts'),
        import('../../lib/command-line/webhook/show-sent.ts'),
      ]);
    const { call, bytes: body } = await callById(system, id);
    const timestamp = String(system.now());
    const headers = {
      ...endToEnd(call.headers),
      ...(secret === undefined
        ? {}
        : {
            'x-usesend-timestamp': timestamp,
            'x-usesend-signature': callSignature(secret, timestamp, body),
          }),
    };
    const { type, attempt } = call;
    const shown = { id: call.call ?? id, type: type ?? '', url: url.href, attempt: attempt ?? 1 };
    const sender = await openSender(system, secret);
    try {
      return showSent(shown, await sender.send({ url, headers, body }));
    } finally {
      await sender.close();
    }
  },
});
