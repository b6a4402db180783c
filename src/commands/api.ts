import { schemas } from '../json-schemas/load.ts';
import { defineCommand } from '../lib/command-line/command/command.ts';
import { expectFlag } from '../lib/command-line/command/flags/expect-flag.ts';
import { orderedOptions } from '../lib/command-line/command/flags/repeatable.ts';
import { documentOf } from '../lib/command-line/command/prints.ts';

const anything = schemas.request('anything');

export const command = defineCommand({
  description:
    'For endpoints that have no command, with the same key, retries, errors and --dry-run. A DELETE asks first, or needs --yes. Sending an email uses an idempotency key here, too.',
  effects: { reads: true, changes: true, mails: true, deletes: true },
  exits: {
    1: 'the service rejected the request',
    4: 'the service responded with 404',
    8: 'the response is a web page, which --include shows, or is not JSON',
  },
  prints: [
    documentOf('the unmodified body of the response, which may be any JSON', anything, {
      line: anything,
    }),
    documentOf('the whole response', schemas.request('wholeAnswer'), {
      when: '--include',
      line: null,
    }),
  ],
  takes: ['service', 'sandbox', 'lists', 'dry runs', 'confirmation'],
  examples: {
    'mailer api /v1/doc': "The service's description of its API",
    "mailer api POST /v1/events/send -f name=upgraded -f contactId=contact_ana -f 'payload[plan]=pro' -F 'payload[seats]=5'":
      'A body with a nested object',
    'mailer api /v1/segments --csv': 'Any list as CSV',
    "mailer api '/v1/campaigns?status=SENT' --paginate --csv": 'Sent campaigns, from all pages',
    'make-email | mailer api POST /v1/emails --input -': 'Send what a program prints',
  },
  offers: { method: 'endpoints', endpoint: 'endpoints' },
  flags: (command) => {
    const field = orderedOptions();
    return command
      .argument(
        '[method]',
        'GET, POST, PUT, PATCH or DELETE; DELETE asks first (default: GET, or POST with fields or --input)',
      )
      .argument('<endpoint>', 'path below the base URL, with any query: /v1/emails?limit=5')
      .addOption(
        field(
          '-f, --raw-field <name=value>',
          'string for the query of a GET, else for the JSON body; repeat. In a body, a[b]=v sets b of an object a, a[]=v adds to an array a',
        ),
      )
      .addOption(
        field('-F, --field <name=json>', 'the same for any other JSON value: 5, true, ["x"]'),
      )
      .option('--input <path>', 'JSON body from a file, - for stdin')
      .option(
        '--idempotency-key <key>',
        'send once under this key, however often you run the command within 24 hours',
      )
      .option(...expectFlag)
      .option('--paginate', 'read all pages of a list, and print them as one')
      .option('-i, --include', 'also print status and headers');
  },
  async run(context, options, method, path) {
    const { callApi } = await import('../lib/mail/api-command/call-api.ts');
    return await callApi(context, options, method, path);
  },
});
