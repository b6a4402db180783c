import { toError, UsageError } from '../../base/errors.ts';
import type { Notes } from '../../base/terminal/notes.ts';
import type { Context } from '../../command-line/command/context.ts';
import { repeatCommand, warnUnrecorded } from '../../command-line/command/repeat-command.ts';
import { body, type Result } from '../../command-line/output/result.ts';
import type { AnyRequest } from '../../service/http/build-request.ts';
import { acceptedValue } from '../../service/http/outcome.ts';
import { passRequest } from '../message/pass-raw.ts';
import { pageOf, pagesFrom, withPage } from './api-pages.ts';
import { type RequestFlags, readRequest } from './api-request.ts';
import { rememberAnswer } from './last-id.ts';
import { findRows } from './response-rows.ts';
import {
  answerReader,
  listResult,
  type Received,
  type ResponseFormat,
  resultOf,
  takesApart,
} from './show-response.ts';

/** The flags of `api`. */
export interface ApiFlags extends RequestFlags {
  readonly idempotencyKey?: string | undefined;
  readonly expect?: string | undefined;
  readonly paginate?: boolean | undefined;
  readonly include?: boolean | undefined;
}

/** Sends the request that `api` describes, and makes a result of the response. */
export async function callApi(
  context: Context,
  options: ApiFlags,
  method: string | undefined,
  path: string,
): Promise<Result> {
  const { idempotencyKey, expect } = options;
  const request = await readRequest(context, method, path, options);
  const look: ResponseFormat = {
    format: context.format(),
    fields: context.flags.fields,
    include: options.include === true,
    paginate: options.paginate === true,
    writes: request.method !== 'GET',
  };
  refuseTogether(request, look, idempotencyKey);
  if (request.method === 'DELETE')
    await context.prompts.confirm(question(request), 'Nothing was deleted');
  const read = answerReader(look);
  const hints = {
    hintIfUnknown: repeatCommand(context, {}),
    unrecorded: warnUnrecorded(context),
  };
  const how = { idempotencyKey, expect, ...hints };
  await passRequest(context, request);
  const send = (path: string) => context.send({ ...request, path }, read, how);
  const valueAt = async (path: string) => acceptedValue(await send(path));
  if (look.paginate) return await allOf(request.path, valueAt, look, context.notes);
  const sent = await send(request.path);
  if (sent.outcome === 'accepted') {
    await rememberAnswer(context, request, sent.value.answer);
    return resultOf(sent.value, look);
  }
  const failure = toError(sent.problem);
  if (!look.include || sent.reply === undefined) throw failure;
  return body({ answer: sent.reply, include: true, failure });
}

function refuseTogether(
  { method, path }: AnyRequest,
  look: ResponseFormat,
  idempotencyKey: string | undefined,
): void {
  if (look.paginate) {
    if (method !== 'GET') throw new UsageError('--paginate is for GET');
    if (look.include) throw new UsageError('--include and --paginate cannot be used together');
    pageOf(path);
  }
  if (look.include && takesApart(look)) {
    throw new UsageError('--include shows the whole response, with or without --json', {
      hint: 'Leave out --jsonl, --csv, --fields and --quiet.',
    });
  }
  if (method === 'GET' && idempotencyKey !== undefined) {
    throw new UsageError('--idempotency-key cannot be used with GET');
  }
}

function question({ method, path }: AnyRequest): string {
  return `This sends ${method} ${path}, which deletes what is there. Send it?`;
}

/** All pages of a list, joined; anything else is a single page. */
async function allOf(
  path: string,
  send: (path: string) => Promise<Received>,
  look: ResponseFormat,
  notes: Notes,
): Promise<Result> {
  const answer = await send(path);
  const found = findRows(answer.json);
  if (found === undefined) return resultOf(answer, look);
  const pages = pagesFrom(
    { number: pageOf(path), reply: answer.json, found },
    async (page) => (await send(withPage(path, page))).json,
    (page) => notes.say(`The service rejected page=${page} (400): there are no more results.`),
  );
  return listResult(pages, found, look);
}
