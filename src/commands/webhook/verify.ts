import { schemas } from '../../json-schemas/load.ts';
import { UsageError, WaitFailedError } from '../../lib/base/errors.ts';
import { defineCommand } from '../../lib/command-line/command/command.ts';
import { timeGiven } from '../../lib/command-line/command/flags/scheduled-time.ts';
import { documentOf } from '../../lib/command-line/command/prints.ts';
import { record, time } from '../../lib/command-line/output/result.ts';
import { readSecret, secretFlag } from '../../lib/command-line/webhook/secret.ts';
import type { Verdict } from '../../lib/command-line/webhook/webhook-shapes.ts';

export const command = defineCommand({
  description:
    'It checks a call that a handler received, as the published client does: headers, age, signature, JSON. The body must be the bytes as received, because JSON that was parsed and written again has another signature.',
  effects: {},
  exits: { 9: 'it is not valid; the error has the reason, such as SIGNATURE_MISMATCH' },
  prints: [documentOf('the verdict', schemas.webhook('callVerdict'))],
  takes: ['times'],
  withoutAccount: true,
  quiet: 'only the reason, or valid',
  examples: {
    'mailer webhook verify body.json --headers headers.txt': 'Is it genuine, and recent?',
    'mailer webhook verify body.json --headers headers.txt --at 2026-11-20T10:00:00Z':
      'Was it genuine and recent then?',
  },
  offers: { body: 'files', '--headers': 'files' },
  flags: (command) =>
    command
      .argument('<body>', 'file with the body as received; - for stdin')
      .option('--headers <file>', 'its headers: lines "Name: value", or a JSON object')
      .option('--at <when>', 'check its age at this time (default: now)')
      .option(...secretFlag),
  async run(context, options, path) {
    const headersFile = options.headers;
    if (headersFile === undefined) {
      throw new UsageError('--headers is missing: the file with the headers of the call');
    }
    const [{ readHeaders }, { explainInvalid }, { verifyCall }] = await Promise.all([
      import('../../lib/command-line/webhook/headers-file.ts'),
      import('../../lib/command-line/webhook/near-miss.ts'),
      import('../../shared/webhook/signature.ts'),
    ]);
    const { files, system } = context;
    const now =
      options.at === undefined
        ? system.now()
        : (
            await timeGiven(options.at, context, {
              flag: '--at',
              direction: 'past',
              allowPast: true,
            })
          ).date.getTime();
    const secret = await readSecret(options.secretFile, context);
    const body = await files.readBytes(path, 'BODY');
    const header = readHeaders(await files.readText(headersFile, '--headers'), '--headers');
    const { reason } = verifyCall(body, header, { secret, now });
    const why = reason === undefined ? [] : explainInvalid(reason, body, header, secret);
    const timestamp = Number(header('x-usesend-timestamp') || Number.NaN);
    const sentAt = Math.abs(timestamp) <= 8.64e15 ? new Date(timestamp).toISOString() : null;
    const type = header('x-usesend-event') ?? null;
    const call = header('x-usesend-call') ?? null;
    return record({
      reply: {
        valid: reason === undefined,
        reason: reason ?? null,
        type,
        call,
        sentAt,
      } satisfies Verdict,
      rows: [
        ['valid', 'Valid', reason === undefined ? 'yes' : 'no'],
        ['reason', 'Reason', reason],
        ['type', 'Event', type],
        ['call', 'Call', call],
        ['sentAt', 'Sent', time(sentAt, { seconds: true })],
      ],
      quiet: reason ?? 'valid',
      failure: reason && new WaitFailedError(`The call is not valid: ${reason}. ${why.join(' ')}`),
    });
  },
});
