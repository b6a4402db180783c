import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { attempt } from '../../../shared/attempt.ts';
import { NotFoundError } from '../../base/errors.ts';
import { recordsDirectory, sandboxDirectory } from '../../base/files/directories.ts';
import { makeDirectories } from '../../base/files/make-directories.ts';
import { explainStateError } from '../../base/files/state-errors.ts';
import type { SentWebhookCall, System } from '../../base/system/system.ts';
import type { KeptCall } from './webhook-shapes.ts';

/** A call as its file has it: bytes that are no UTF-8 survive. */
interface StoredCall extends Omit<KeptCall, 'body'> {
  readonly base64: string;
}

/** The most bytes of a call's body, and the most calls that are kept: 200 MiB at worst. */
export const longestCall = 1024 * 1024;
const mostCalls = 200;

/** Calls in the state directory, one private file each; the oldest make room for new ones. */
export function openKeptCalls(system: System) {
  const directory = recordsDirectory('webhooks', { flags: {}, system });
  const read = (name: string) => {
    const path = join(directory, name);
    // A listener may have deleted it since the directory was read.
    const stored = existsSync(path) ? storedIn(readFileSync(path, 'utf8')) : undefined;
    if (stored === undefined) return undefined;
    const { base64, ...call } = stored;
    const bytes = Buffer.from(base64, 'base64');
    return { call: { ...call, body: bytes.toString('utf8') }, bytes };
  };
  const names = () => {
    makeDirectories(directory);
    return readdirSync(directory)
      .filter((name) => /^rcv_\w+\.json$/.test(name))
      .sort();
  };
  const explained = <Value>(action: 'read' | 'write', work: () => Value): Value => {
    try {
      return work();
    } catch (error) {
      throw explainStateError(error, directory, action);
    }
  };
  return {
    async keep(call: Omit<KeptCall, 'body'>, body: Uint8Array): Promise<void> {
      const stored: StoredCall = { ...call, base64: Buffer.from(body).toString('base64') };
      const earlier = explained('write', names);
      const path = join(directory, `${call.id}.json`);
      await writeFile(path, JSON.stringify(stored), { mode: 0o600, flag: 'wx' }).catch(
        (error: unknown) => {
          throw explainStateError(error, directory);
        },
      );
      for (const name of earlier.slice(0, Math.max(earlier.length + 1 - mostCalls, 0))) {
        rmSync(join(directory, name), { force: true });
      }
    },
    /** Newest first. */
    list: (): KeptCall[] =>
      explained('read', () =>
        names()
          .reverse()
          .flatMap((name) => read(name)?.call ?? []),
      ),
    /** A call and the bytes of its body. Throws a `NotFoundError`. */
    get: (id: string) =>
      explained('read', () => {
        const name = names().find((one) => one === `${id}.json`);
        const found = name === undefined ? undefined : read(name);
        if (found !== undefined) return found;
        throw new NotFoundError('There is no such call.', {
          hint: 'mailer webhook log lists calls.',
        });
      }),
  };
}

/**
 * A call by its id: one that `webhook listen` received, or that the sandbox sent (`call_…`), and the bytes of its body. Throws a
 * `NotFoundError`.
 */
export async function callById(
  system: System,
  id: string,
): Promise<{ readonly call: KeptCall; readonly bytes: Uint8Array }> {
  if (!id.startsWith('call_')) return openKeptCalls(system).get(id);
  const sandbox = await system.sandbox(sandboxDirectory(system), system.env.MAILER_API_KEY);
  const sent = sandbox.sentCall(id);
  if (sent === undefined) {
    throw new NotFoundError('The sandbox has no such call.', {
      hint: 'mailer webhook log lists calls.',
    });
  }
  return { call: keptFrom(sent), bytes: Buffer.from(sent.body) };
}

/** The calls that `webhook listen` keeps and, if the sandbox was used, as many that it sent; newest first. */
export async function latestCalls(system: System, usesSandbox: boolean): Promise<KeptCall[]> {
  const received = openKeptCalls(system).list();
  if (!usesSandbox) return received;
  const sandbox = await system.sandbox(sandboxDirectory(system), system.env.MAILER_API_KEY);
  const sent = sandbox.sentCalls(mostCalls).map(keptFrom);
  return [...received, ...sent].sort((a, b) => b.receivedAt.localeCompare(a.receivedAt));
}

function keptFrom({ id, at, type, url, headers, ...rest }: SentWebhookCall): KeptCall {
  return {
    ...{ id, receivedAt: at, type, call: id, reason: null, forwardedTo: url, milliseconds: 0 },
    ...rest,
    headers: Object.entries(headers).map((pair) => [...pair]),
  };
}

/** What `keep` wrote; undefined if it is not complete, because it is being written or the computer stopped. */
function storedIn(text: string): StoredCall | undefined {
  return attempt(() => JSON.parse(text) as StoredCall, undefined);
}
