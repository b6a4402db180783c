import { UseSend } from 'usesend-js';
import { expect, onTestFinished } from 'vitest';
import { serve } from '../../../src/sandbox/http/serve.ts';
import type { SandboxOptions } from '../../../src/sandbox/open.ts';
import { startSandbox } from '../harness.ts';
import { type Resource, resources } from './methods.ts';

/** A request to the sandbox: `POST /v1/emails`. */
export type Line = string;

/** The methods that returned data, as `emails.send`, each with its requests. */
const succeeded = new Map<string, Set<Line>>();

/** This resource's methods that returned data in this file, by name, each with its requests. */
export function succeededOf(resource: Resource): Record<string, Line[]> {
  const lines: Record<string, Line[]> = {};
  for (const [name, seen] of succeeded) {
    const [of, method = ''] = name.split('.');
    if (of === resource) lines[method] = [...seen];
  }
  return lines;
}

/** The published client, unmodified, at a sandbox served over HTTP. */
export async function withClient(options: Partial<SandboxOptions> = {}) {
  const { sandbox, advance, request } = startSandbox(options);
  const requests: Line[] = [];
  const server = await serve({
    fetch: (request) => {
      requests.push(`${request.method} ${new URL(request.url).pathname.slice('/api'.length)}`);
      return sandbox.fetch(request);
    },
    port: 0,
  });
  onTestFinished(() => server.close());

  /** A client with any key. */
  function clientWith(key: string): UseSend {
    const client = new UseSend(key, server.origin);
    for (const resource of resources) noting(client, resource, requests);
    return client;
  }

  return { client: clientWith(sandbox.apiKey), clientWith, requests, advance, request };
}

/** Records which of the resource's methods return data, without changing them. */
function noting(client: UseSend, resource: Resource, requests: readonly Line[]): void {
  Reflect.set(
    client,
    resource,
    new Proxy(client[resource], {
      get(target, name) {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== 'function') return member;
        return async (...values: unknown[]) => {
          const reply: unknown = await Reflect.apply(member, target, values);
          if (reply instanceof Object && 'error' in reply && reply.error === null) {
            const method = `${resource}.${String(name)}`;
            const lines = succeeded.get(method) ?? new Set();
            succeeded.set(method, lines.add(requests.at(-1) ?? ''));
          }
          return reply;
        };
      },
    }),
  );
}

/** The data of a call, which must not have failed. */
export function dataOf<Data>(reply: { data: Data; error: unknown }): NonNullable<Data> {
  expect(reply.error).toBeNull();
  if (reply.data === null || reply.data === undefined) throw new Error('no data');
  return reply.data;
}

/** The envelope's error, as the client returns it. */
export function refusal(code: string) {
  return { data: null, error: { error: { code, message: expect.any(String) } } };
}

/** The error for invalid input, as the client returns it. */
export function invalidAt(...path: (string | number)[]) {
  return {
    data: null,
    error: {
      name: 'ZodError',
      issues: expect.arrayContaining([expect.objectContaining({ path })]),
    },
  };
}
