import { schemas } from '../../json-schemas/load.ts';
import { WaitFailedError } from '../../lib/base/errors.ts';
import { defineCommand } from '../../lib/command-line/command/command.ts';
import { rowsOf } from '../../lib/command-line/command/prints.ts';
import { list } from '../../lib/command-line/output/result.ts';
import { allowRemoteFlag, handlerUrl } from '../../lib/command-line/webhook/handler-url.ts';
import { readSecret, secretFlag } from '../../lib/command-line/webhook/secret.ts';
import type { Grade } from '../../lib/command-line/webhook/webhook-shapes.ts';

export const command = defineCommand({
  description:
    'It sends about 40 good and bad calls to a handler, and compares its responses with safe ones. Whether the handler does its work twice cannot be seen from outside. Use a handler whose work does no harm.',
  effects: { local: true },
  exits: { 7: 'the handler did not respond to the first call', 9: 'a check failed' },
  prints: [rowsOf('the checks', schemas.webhook('grade'))],
  takes: ['lists'],
  withoutAccount: true,
  quiet: 'only the checks that failed',
  examples: {
    'mailer webhook test localhost:3000/webhooks': 'Grade a handler',
    'mailer webhook test localhost:3000/webhooks --jsonl --secret-file secret':
      'In CI: 9 if a check failed',
  },
  flags: (command) =>
    command
      .argument('<url>', 'URL of the handler')
      .option(...secretFlag)
      .option(...allowRemoteFlag),
  async run(context, options, address) {
    const url = handlerUrl(address, 'URL', options.allowRemote);
    const secret = await readSecret(options.secretFile, context);
    const [{ gradeHandler }, { openSender }] = await Promise.all([
      import('../../lib/command-line/webhook/grade.ts'),
      import('../../lib/command-line/webhook/send-call.ts'),
    ]);
    const { system, flags } = context;
    const sender = await openSender(system, secret);
    const failed: string[] = [];
    async function* pages() {
      try {
        for await (const grade of gradeHandler({ system, sender, url, secret })) {
          if (grade.outcome === 'failed') failed.push(grade.check);
          if (flags.quiet !== true || grade.outcome === 'failed') yield { rows: [grade] };
        }
      } finally {
        await sender.close();
      }
    }
    return list<Grade>({
      pages: pages(),
      joinPages: true,
      columns: [
        { field: 'check', header: 'Check' },
        { field: 'outcome', header: 'Outcome' },
        { field: 'answered', header: 'Answered', cell: answeredInWords },
        { field: 'expected', header: 'Expected' },
        { field: 'consequence', header: 'Consequence', flexible: true, folds: true },
      ],
      id: ({ check }) => check,
      empty: 'All checks passed.',
      failure: () =>
        failed.length === 0
          ? undefined
          : new WaitFailedError(`The handler failed: ${failed.join(', ')}.`),
    });
  },
});

/** `200 200 409`, or `20 × 200`. */
function answeredInWords({ answered }: Grade): string {
  const [first] = answered;
  const words = answered.map((status) => String(status ?? 'none'));
  const isSame = answered.length > 2 && answered.every((one) => one === first);
  return isSame ? `${answered.length} × ${words[0]}` : words.join(' ');
}
