import { methods } from '../api/operation.ts';
import { defineCommand } from '../lib/command.ts';
import { pageOf, pagesFrom, withPage } from '../lib/endpoint/pages.ts';
import { readRequest } from '../lib/endpoint/request.ts';
import { findRows } from '../lib/endpoint/rows.ts';
import {
  type Answer,
  answerReader,
  listResult,
  resultOf,
  type ShowFlags,
  takesApart,
} from '../lib/endpoint/show.ts';
import { MailerError, UsageError } from '../lib/errors.ts';
import { body, type Result } from '../lib/output/result.ts';
import { withRepeatCommand } from '../lib/repeat-command.ts';
import { repeatableOption } from '../lib/repeatable.ts';
import type { AnyRequest } from '../lib/request.ts';

export const command = defineCommand({
  writes: true,
  lists: true,
  examples: [
    ['mailer api GET /v1/doc', "The service's own description of what it can do"],
    ['mailer api POST /v1/contactBooks -f name=Customers', 'Create a contact book'],
    [
      "mailer api POST /v1/contactBooks/book_1/contacts -f email=ana@example.org -f 'properties[plan]=pro' -F subscribed=true",
      'Create a contact in it',
    ],
    ['mailer api POST /v1/campaigns/cm3k9x2f8000008l4/pause', 'Pause a campaign'],
    ['mailer api GET /v1/contactBooks/book_1/contacts --paginate --csv', 'All contacts of a book'],
    ['make-email | mailer api POST /v1/emails --input -', 'Send what a program prints'],
  ],
  offers: { method: methods },
  flags: (command) =>
    command
      .argument('<method>', 'GET, POST, PUT, PATCH or DELETE')
      .argument(
        '<endpoint>',
        'its path below the base URL, with its query if any: /v1/emails?limit=5',
      )
      .addOption(
        repeatableOption(
          '-f, --raw-field <name=value>',
          'a string for the query of a GET, else for the JSON body; repeat. In a body a[b]=v goes into an object a, a[]=v into an array a',
        ),
      )
      .addOption(
        repeatableOption('-F, --field <name=json>', 'the same for other JSON: 5, true, ["x"]'),
      )
      .option('--input <path>', 'the body as JSON from a file, - for stdin')
      .option(
        '--idempotency-key <key>',
        'send emails once under this key, however often it is repeated within 24 hours',
      )
      .option('--paginate', 'GET all pages of a list, as one')
      .option('-i, --include', 'status and headers before the body'),
  async run(context, options, method, path) {
    const { idempotencyKey, include, paginate } = options;
    const flags = { ...context.flags, include, paginate };
    const request = await readRequest(context, method, path, options);
    refuseTogether(request, { ...flags, idempotencyKey });
    const read = await answerReader(flags);
    const send = (path: string) => context.send({ ...request, path }, read, { idempotencyKey });
    if (paginate === true) return await allOf(request.path, send, flags);
    try {
      return resultOf(await send(request.path), flags);
    } catch (thrown) {
      const error = withRepeatCommand(thrown, context, {});
      if (include !== true || !(error instanceof MailerError) || !error.reply) throw error;
      return body({ answer: error.reply, include, failure: error });
    }
  },
});

interface Asked extends ShowFlags {
  readonly idempotencyKey?: string | undefined;
}

function refuseTogether({ method, path }: AnyRequest, asked: Asked): void {
  if (asked.paginate === true) {
    if (method !== 'GET') throw new UsageError('--paginate is for GET');
    if (asked.include === true) {
      throw new UsageError('--include and --paginate cannot be used together');
    }
    pageOf(path);
  }
  if (asked.include === true && takesApart(asked)) {
    throw new UsageError('--include shows the whole answer, with or without --json', {
      hint: 'Leave out --jsonl, --csv, --fields and --quiet.',
    });
  }
  if (method === 'GET' && asked.idempotencyKey !== undefined) {
    throw new UsageError('--idempotency-key is for requests that write, which GET does not');
  }
}

/** All pages of what is a list, joined; all else has one page. */
async function allOf(
  path: string,
  send: (path: string) => Promise<Answer>,
  flags: ShowFlags,
): Promise<Result> {
  const answer = await send(path);
  const found = findRows(answer.json);
  if (found === undefined) return resultOf(answer, flags);
  const pages = pagesFrom(
    { number: pageOf(path), reply: answer.json, found },
    async (page) => (await send(withPage(path, page))).json,
  );
  return listResult(pages, found, flags);
}
