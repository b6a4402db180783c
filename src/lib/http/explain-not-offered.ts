import { NotFoundError, NotOfferedError } from '../errors.ts';
import type { System } from '../system/system.ts';
import type { WireReply } from '../system/wire.ts';
import { shortened } from '../text/shortened.ts';
import type { Client } from './client.ts';
import { parseJson } from './reply.ts';

/** An endpoint that every service of this kind has, and any key may use. */
export const alwaysOffered = { method: 'GET', path: '/v1/domains' } as const;

/** Milliseconds for the request that explains an error, its repetitions included. */
const patience = 3000;

/**
 * Replaces the error of a 404 in plain text with a `NotOfferedError`, if the service lacks the endpoint.
 * The other cause of such a 404 is a wrong base URL; one more request tells them apart.
 */
export async function explainNotOffered(
  error: unknown,
  client: () => Promise<Client>,
  { monotonic }: Pick<System, 'monotonic'>,
): Promise<unknown> {
  if (!(error instanceof NotFoundError)) return error;
  const { request, hint: _, ...details } = error.details;
  // A missing object, such as an email, is a 404 in JSON.
  if (!request?.mayBeOfProxy) return error;
  const { method, path } = request;
  const [pathname = ''] = path.split('?', 1);
  if (pathname === alwaysOffered.path) return error;
  if (!(await answers(await client(), monotonic() + patience))) return error;
  return new NotOfferedError(
    `This service does not offer ${method} ${shortened(pathname, 200)}.`,
    details,
  );
}

async function answers(client: Client, deadline: number): Promise<boolean> {
  try {
    const isJson = ({ body }: WireReply) => parseJson(body) !== undefined;
    const asked = await client.send(alwaysOffered, isJson, { deadline });
    return asked.outcome === 'accepted' && asked.value;
  } catch {
    // This request only explains another error, which stays unchanged.
    return false;
  }
}
