import { type Problem, toError } from '../../base/errors.ts';
import type { WireReply } from '../../base/system/wire.ts';
import { alwaysOffered } from '../../service/http/explain-not-offered.ts';
import { parseJson } from '../../service/http/reply.ts';
import type { Context } from '../command/context.ts';

/**
 * Finds the base URL of the API from a URL that may lack `/api`, repeat it, or be that of a page. Sends no
 * key, and stays within the origin. Throws an error if the service cannot be reached, and one that names
 * the URLs tried if there is no API.
 */
export async function findApi(context: Context, url: string): Promise<string> {
  const tried: { readonly candidate: string; readonly problem: Problem }[] = [];
  for (const candidate of candidatesOf(url)) {
    const problem = await whyNoApi(context, candidate);
    if (problem === undefined) return candidate;
    // The other candidates are on the same host.
    if (problem.code === 'unavailable' && problem.status === undefined) throw toError(problem);
    tried.push({ candidate, problem });
  }
  const lines = tried.map(({ candidate, problem }) => `  ${candidate}: ${problem.message}`);
  throw toError({
    code: tried[0]?.problem.code ?? 'not_found',
    message: [`No API was found. Tried, without the key:`, ...lines].join('\n'),
    status: tried[0]?.problem.status,
    hint: 'Check the base URL, such as https://mail.example.com/api',
  });
}

function candidatesOf(url: string): ReadonlySet<string> {
  const other = url.endsWith('/api') ? url.slice(0, -'/api'.length) : `${url}/api`;
  return new Set([url, other, `${new URL(url).origin}/api`]);
}

/** Undefined if the API is there: it rejects a request without a key in its own way. */
async function whyNoApi(context: Context, baseUrl: string): Promise<Problem | undefined> {
  const client = await context.clientFor({ baseUrl, apiKey: undefined });
  const isList = ({ body }: WireReply) => Array.isArray(parseJson(body));
  const asked = await context.progress.during(`Looking for the API at ${baseUrl}`, () =>
    client.send(alwaysOffered, isList),
  );
  if (asked.outcome === 'accepted') {
    return asked.value
      ? undefined
      : { code: 'bad_reply', message: 'the response is not from an API' };
  }
  const { problem } = asked;
  const isItsOwn = problem.apiCode !== undefined && problem.status !== 404;
  return isItsOwn ? undefined : problem;
}
