import { schemas } from '../../json-schemas/load.ts';
import { defineCommand } from '../../lib/command-line/command/command.ts';
import { documentOf } from '../../lib/command-line/command/prints.ts';
import { record, section, time } from '../../lib/command-line/output/result.ts';

export const command = defineCommand({
  description:
    'The headers and the body of a call that webhook listen received or the sandbox sent, and the response.',
  effects: {},
  exits: { 4: 'there is no such call' },
  prints: [documentOf('the call', schemas.webhook('keptCall'))],
  takes: ['times'],
  withoutAccount: true,
  examples: { "mailer webhook get rcv_mhz5k2a8_000001 --jq '.body'": 'The body as received' },
  flags: (command) => command.argument('<id>', 'id from webhook log'),
  async run({ system }, _options, id) {
    const { callById } = await import('../../lib/command-line/webhook/kept-calls.ts');
    const { call } = await callById(system, id);
    return record({
      reply: call,
      rows: [
        ['id', 'Id', call.id],
        ['receivedAt', 'Received', time(call.receivedAt, { seconds: true })],
        ['type', 'Event', call.type],
        ['call', 'Call', call.call],
        ['attempt', 'Attempt', call.attempt],
        ['reason', 'Not valid', call.reason],
        ['forwardedTo', 'Forwarded to', call.forwardedTo],
        ['status', 'Status', call.status],
        ['response', 'Response', call.response],
        ['body', 'Body', call.body],
      ],
      sections: [
        section<[string, string]>({
          title: 'Headers',
          field: 'headers',
          columns: [
            { field: '0', header: 'Name', cell: ([name]) => name },
            { field: '1', header: 'Value', cell: ([, value]) => value, folds: true },
          ],
          rows: call.headers.map(([name = '', value = '']) => [name, value] as const),
          empty: 'There are no headers.',
        }),
      ],
      quiet: call.body,
    });
  },
});
