import { NotFoundError, NotOfferedError } from '../../base/errors.ts';
import type { System } from '../../base/system/system.ts';
import type { WireReply } from '../../base/system/wire.ts';
import { shortened } from '../../base/text/shortened.ts';
import type { Client } from './client.ts';
import { missingOperation } from './missing-operation.ts';
import { parseJson } from './reply.ts';
import { operationOf } from './request-rules.ts';

/** An endpoint that every such service has and any key may use. */
export const alwaysOffered = { method: 'GET', path: '/v1/domains' } as const;

/** Milliseconds for the requests that explain an error, retries included. */
export const timeToExplain = 3000;

/**
 * Replaces the error of a plain-text 404 with a `NotOfferedError` if the service does not have the
 * endpoint. A wrong base URL also causes such a 404; one more request tells them apart. `command`
 * makes the command line of these words, for hints.
 */
export async function explainNotOffered(
  error: unknown,
  client: () => Promise<Client>,
  { monotonic }: Pick<System, 'monotonic'>,
  command: (...words: readonly string[]) => string,
): Promise<unknown> {
  if (!(error instanceof NotFoundError)) return error;
  const { request, hint: _, ...details } = error.details;
  // A missing object, such as an email, is a 404 in JSON.
  if (!request?.mayBeOfProxy) return error;
  const { method, path } = request;
  const [pathname = ''] = path.split('?', 1);
  if (method === alwaysOffered.method && pathname === alwaysOffered.path) return error;
  if (!(await answers(await client(), monotonic() + timeToExplain))) return error;
  const operation = operationOf({ method, path });
  if (operation !== undefined) {
    const { message, instead } = missingOperation(operation);
    const hint =
      instead === undefined
        ? `To see what it offers: ${command('whoami', '--features')}`
        : `${instead.what}: ${command(...instead.words)}`;
    return new NotOfferedError(message, { ...details, hint });
  }
  const hint = /^\/api(\/|$)/.test(pathname)
    ? 'The path begins after the base URL, so leave out /api.'
    : `Check method and path. To see what the service offers: ${command('api', '/v1/doc')}`;
  const message = `This service does not offer ${method} ${shortened(pathname, 200)}.`;
  return new NotOfferedError(message, { ...details, hint });
}

/** Whether there is an API: it responds in JSON, even if only to reject the key. */
async function answers(client: Client, deadline: number): Promise<boolean> {
  try {
    let isJson = false;
    const onResponse = ({ body }: WireReply) => {
      isJson = parseJson(body) !== undefined;
    };
    await client.send(alwaysOffered, () => {}, { deadline, onResponse });
    return isJson;
  } catch {
    // This request only explains another error, which stays as it is.
    return false;
  }
}
