import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { type Input, type OperationId, operations, type Reply } from '../../src/api/operations.ts';
import { openSandbox, type SandboxOptions } from '../../src/sandbox/open.ts';
import { putExampleData } from '../support/example-data.ts';

/** When the tests' clocks start. */
export const start = Date.parse('2026-01-31T12:00:00.000Z');

export const second = 1000;
export const hour = 3_600_000;
export const day = 24 * hour;

/** A directory that is deleted when the test ends. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'sandbox-test-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

export interface RawReply {
  status: number;
  headers: Headers;
  text: string;
  /** The parsed JSON; undefined if the body is not JSON. */
  body: unknown;
}

export interface RequestOptions {
  body?: unknown;
  /** Sent unmodified, instead of `body` as JSON. */
  rawBody?: string;
  headers?: Record<string, string>;
  /** null sends no Authorization header. */
  key?: string | null;
}

/** A sandbox for one test, with a clock that the test advances. */
export function startSandbox(options: Partial<SandboxOptions> = {}) {
  const clock = { now: start };
  const directory = temporaryDirectory();
  const { ahead, fresh } = options;
  if (options.directory === undefined && ahead === undefined && fresh === undefined) {
    putExampleData(directory, start);
  }
  const sandbox = openSandbox({ directory, now: () => clock.now, ...options });
  onTestFinished(() => sandbox.close());

  /** Sends any request under `/api/v1`. */
  async function request(
    method: string,
    path: string,
    options: RequestOptions = {},
  ): Promise<RawReply> {
    const { body, rawBody = body === undefined ? undefined : JSON.stringify(body) } = options;
    const { key = sandbox.apiKey } = options;
    const response = await sandbox.fetch(
      new Request(`http://sandbox.test/api/v1${path}`, {
        method,
        headers: {
          'Content-Type': 'application/json',
          ...(key === null ? {} : { Authorization: `Bearer ${key}` }),
          ...options.headers,
        },
        ...(rawBody === undefined ? {} : { body: rawBody }),
      }),
    );
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: parsed(text) };
  }

  /** Calls an operation with input as in the contract, and returns the raw reply. */
  function send<Id extends OperationId>(
    id: Id,
    input: Input<Id>,
    headers: Record<string, string> = {},
  ): Promise<RawReply> {
    const { params, query, body }: LooseInput = input;
    const { method, path } = operations[id];
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries(query ?? {})) {
      for (const item of Array.isArray(value) ? value : [value]) search.append(name, String(item));
    }
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(String(params?.[name])),
    );
    const question = search.size === 0 ? '' : `?${search}`;
    return request(method, `${filled.slice('/v1'.length)}${question}`, {
      headers,
      ...(body === undefined ? {} : { body }),
    });
  }

  /** Calls an operation, expects a 200 that fits the contract, and returns the reply. */
  async function ok<Id extends OperationId>(
    id: Id,
    input: Input<Id>,
    headers: Record<string, string> = {},
  ): Promise<Reply<Id>> {
    const reply = await send(id, input, headers);
    expect(reply, `${id}: ${reply.text}`).toMatchObject({ status: 200 });
    // This schema's type is Reply<Id>.
    return operations[id].reply.parse(reply.body) as Reply<Id>;
  }

  function advance(milliseconds: number): void {
    clock.now += milliseconds;
  }

  return { sandbox, clock, request, send, ok, advance };
}

export type TestSandbox = ReturnType<typeof startSandbox>;

interface LooseInput {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A valid email, with `fields` changed. */
export function email(fields: Record<string, unknown> = {}) {
  return {
    to: 'delivered@example.com',
    from: 'Shop <shop@example.com>',
    subject: 'Hello',
    text: 'Hi',
    ...fields,
  };
}

/** A valid campaign, with `fields` changed. */
export function campaign(fields: Record<string, unknown> = {}) {
  return {
    name: 'Spring',
    from: 'Shop <shop@example.com>',
    subject: 'News for {{firstName}}',
    contactBookId: 'book_customers',
    html: '<p>Hi {{firstName}}</p><a href="{{usesend_unsubscribe_url}}">Unsubscribe</a>',
    ...fields,
  };
}

/** An error in the usual envelope, with this status and code. */
export function envelope(status: number, code: string) {
  return { status, body: { error: { code, message: expect.any(String) } } };
}

/** A ZodError with an issue at this path. */
export function invalid(...path: (string | number)[]) {
  return {
    status: 400,
    body: {
      success: false,
      error: {
        name: 'ZodError',
        issues: expect.arrayContaining([expect.objectContaining({ path })]),
      },
    },
  };
}
