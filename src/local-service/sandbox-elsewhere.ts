import * as z from 'zod';
import { emailStatuses } from '../api/email-status.ts';
import { lenientObject } from '../api/lenient.ts';
import { arrival } from '../json-schemas/sandbox.ts';
import { BadReplyError, UnavailableError, UsageError } from '../lib/base/errors.ts';
import { sandboxDirectory } from '../lib/base/files/directories.ts';
import { TransportError, type WireReply } from '../lib/base/system/wire.ts';
import type { LocalContext } from '../lib/command-line/command/context.ts';
import { apiRoot, isLoopback, normalizeBaseUrl } from '../lib/service/http/network/base-url.ts';
import type { Arrivals, WantedMail } from '../sandbox/arrivals/wait-for-arrivals.ts';
import { attempt } from '../shared/attempt.ts';
import { readMark } from './sandbox-mark.ts';

/** What a sandbox says about itself, without a key. */
const state = lenientObject({
  now: z.iso.datetime(),
  data: z.string(),
  faults: z.array(z.unknown()),
});

const waited = lenientObject({
  messages: z.array(arrival.extend({ status: z.enum(emailStatuses) })).optional(),
  total: z.int().optional(),
  error: lenientObject({ message: z.string() }).optional(),
});

/** How long the first response may take, and a wait after its end, in milliseconds. */
const patience = 10_000;

/**
 * The base URL of the sandbox that `--base-url` or `MAILER_BASE_URL` names; undefined if that is the one whose data are on
 * this disk, or if `--sandbox` says so. Throws a `UsageError` for what is no URL.
 */
export async function urlElsewhere(
  { system, flags }: Pick<LocalContext, 'system' | 'flags'>,
  flag: string | undefined,
): Promise<string | undefined> {
  if (flag !== undefined && flags.sandbox === true) {
    throw new UsageError('--sandbox and --base-url cannot be used together');
  }
  const given = flag ?? system.env.MAILER_BASE_URL?.trim() ?? '';
  if (given === '' || flags.sandbox === true) return undefined;
  const source = flag === undefined ? 'MAILER_BASE_URL' : '--base-url';
  const baseUrl = apiRoot(normalizeBaseUrl(given, source));
  const { hostname, port } = new URL(baseUrl);
  const served = isLoopback(hostname) ? await readMark(sandboxDirectory(system)) : undefined;
  const isHere = served !== undefined && new URL(served.url).port === port;
  return isHere ? undefined : baseUrl;
}

/** A sandbox on another disk, by its base URL. Throws a `UsageError`, without having sent a key, if it is none. */
export async function sandboxElsewhere({ system }: Pick<LocalContext, 'system'>, baseUrl: string) {
  const control = `${baseUrl.replace(/\/api$/, '')}/control`;
  const network = await system.network(system);
  const get = async (path: string, key: string | undefined, within: number) => {
    const url = new URL(control + path);
    const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
    const signal = AbortSignal.any([system.signal, AbortSignal.timeout(within)]);
    return await network.send({ method: 'GET', url, headers }, signal).catch((cause) => {
      system.signal.throwIfAborted();
      const why = cause instanceof TransportError ? ` ${cause.message}` : '';
      const hint = cause instanceof TransportError ? cause.hint : undefined;
      throw new UnavailableError(`The sandbox at ${baseUrl} does not respond.${why}`, {
        hint,
        cause,
      });
    });
  };
  const first = await get('', undefined, patience).catch(async (error: unknown) => {
    await network.close();
    throw error;
  });
  const { data } = state.safeParse(json(first));
  if (data === undefined) {
    await network.close();
    throw new UsageError(`${baseUrl} is not a sandbox, so no key was sent`, {
      hint: 'For the sandbox on this machine: --sandbox',
    });
  }
  const ahead = Date.parse(data.now) - system.now();
  return {
    /** The time by its clock, in milliseconds since 1970. */
    now: () => system.now() + ahead,
    /** Waits in the account of this key. `since` is a time or the id of a message; `timeout` is in milliseconds. */
    async waitFor(
      { since, code, ...wanted }: WantedMail,
      { count, timeout, key }: { count: number; timeout: number; key: string | undefined },
    ): Promise<readonly [Arrivals, missing: string]> {
      const query = new URLSearchParams({ count: `${count}`, timeout: `${Math.ceil(timeout)}ms` });
      const given = {
        ...wanted,
        since: typeof since === 'number' ? new Date(since).toISOString() : since,
        code: code === true ? 'true' : undefined,
      };
      for (const [name, value] of Object.entries(given)) {
        if (value !== undefined) query.set(name, value);
      }
      const reply = await get(`/messages/wait?${query}`, key, timeout + patience);
      const read = waited.safeParse(json(reply)).data;
      const missing = read?.error?.message ?? '';
      if (reply.status === 400 && missing !== '') throw new UsageError(missing.replace(/\.$/, ''));
      const { messages, total } = read ?? {};
      if (![200, 404, 409].includes(reply.status) || messages === undefined) {
        throw new BadReplyError(
          `The sandbox at ${baseUrl} gave no usable response (${reply.status}).`,
        );
      }
      return [{ met: reply.status === 200, total: total ?? messages.length, messages }, missing];
    },
    close: () => network.close(),
  };
}

function json({ body }: WireReply): unknown {
  return attempt(() => JSON.parse(body), undefined);
}
