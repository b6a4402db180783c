import type { Client } from './client.ts';
import { NotFoundError, NotOfferedError } from './errors.ts';
import { parseJson } from './reply.ts';
import { shortened } from './text/shortened.ts';

/** What every service of this kind has, and any key may ask for. */
const alwaysOffered = { method: 'GET', path: '/v1/domains' } as const;

/**
 * What a command ends with. A 404 in plain text is that of an endpoint which is not there: because
 * the service does not have it, or because no service is at this base URL. One request more tells.
 */
export async function withOffer(error: unknown, client: () => Promise<Client>): Promise<unknown> {
  // Things that are not there are told in JSON.
  if (!(error instanceof NotFoundError) || !error.mayBeOfProxy) return error;
  const { method, path } = error.request ?? alwaysOffered;
  const [pathname = ''] = path.split('?', 1);
  if (pathname === alwaysOffered.path || !(await answers(await client()))) return error;
  const endpoint = shortened(pathname.replace(/^\/(v\d+\/)?/, ''), 200);
  const name = method === 'GET' ? endpoint : `${method} ${endpoint}`;
  const { hint: _, ...details } = error.details;
  return new NotOfferedError(`This service has no ${name}.`, details);
}

async function answers(client: Client): Promise<boolean> {
  try {
    return await client.send(alwaysOffered, ({ body }) => parseJson(body) !== undefined);
  } catch {
    // It was to explain another error, which stays as it is.
    return false;
  }
}
