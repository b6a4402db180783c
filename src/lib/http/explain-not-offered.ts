import { NotFoundError, NotOfferedError } from '../errors.ts';
import type { System } from '../system/system.ts';
import type { WireReply } from '../system/wire.ts';
import { shortened } from '../text/shortened.ts';
import type { Client } from './client.ts';
import { parseJson } from './reply.ts';
import { isOfContract } from './request-rules.ts';

/** An endpoint that every service of this kind has, and any key may use. */
export const alwaysOffered = { method: 'GET', path: '/v1/domains' } as const;

/** Milliseconds for the request that explains an error, its repetitions included. */
const patience = 3000;

/**
 * Replaces the error of a 404 in plain text with a `NotOfferedError`, if the service lacks the endpoint.
 * The other cause of such a 404 is a wrong base URL; one more request tells them apart. `list` is the
 * command that shows what the service offers, for a path that a person has written.
 */
export async function explainNotOffered(
  error: unknown,
  client: () => Promise<Client>,
  { monotonic }: Pick<System, 'monotonic'>,
  list: () => string,
): Promise<unknown> {
  if (!(error instanceof NotFoundError)) return error;
  const { request, hint: _, ...details } = error.details;
  // A missing object, such as an email, is a 404 in JSON.
  if (!request?.mayBeOfProxy) return error;
  const { method, path } = request;
  const [pathname = ''] = path.split('?', 1);
  if (pathname === alwaysOffered.path) return error;
  if (!(await answers(await client(), monotonic() + patience))) return error;
  const isWritten = !isOfContract({ method, path });
  const hint = /^\/api(\/|$)/.test(pathname)
    ? 'The path begins after the base URL, so leave out /api.'
    : `Check method and path. To see what the service offers: ${list()}`;
  return new NotOfferedError(
    `This service does not offer ${method} ${shortened(pathname, 200)}.`,
    isWritten ? { ...details, hint } : details,
  );
}

/** Whether there is an API: it responds in JSON, be it only that it rejects the key. */
async function answers(client: Client, deadline: number): Promise<boolean> {
  try {
    let isJson = false;
    const heard = ({ body }: WireReply) => {
      isJson = parseJson(body) !== undefined;
    };
    await client.send(alwaysOffered, () => {}, { deadline, heard });
    return isJson;
  } catch {
    // This request only explains another error, which stays unchanged.
    return false;
  }
}
