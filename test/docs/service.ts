import { onTestFinished } from 'vitest';
import { serve } from '../../src/sandbox/http/serve.ts';
import { openSandbox } from '../../src/sandbox/open.ts';
import { temporaryDirectory } from '../support/process.ts';

/** The sandbox, served by this process, with a clock that shortens waiting. */
export interface Service {
  readonly apiKey: string;
  readonly baseUrl: string;
  /** Environment variables with which the program uses it. */
  readonly env: Readonly<Record<string, string>>;
  /** Method and path of each request not sent by the test, in order. */
  readonly requests: readonly string[];
  /** The path of its database. */
  readonly database: string;
  /** Sends a request from the test; any status but success is an error. */
  call(method: 'GET' | 'POST', path: string, body?: object): Promise<unknown>;
  /** Subjects of all emails, newest first. */
  subjects(): Promise<string[]>;
}

/** Milliseconds that pass between two requests: long enough for any pending job. */
const step = 5000;

/** Starts it until the test ends. */
export async function startService(): Promise<Service> {
  let now = Date.now();
  const requests: string[] = [];
  const sandbox = openSandbox({ directory: temporaryDirectory(), now: () => now });
  const { apiKey } = sandbox;
  const served = await serve({
    port: 0,
    fetch: (request) => {
      now += step;
      requests.push(`${request.method} ${new URL(request.url).pathname}`);
      return sandbox.fetch(request);
    },
  });
  onTestFinished(async () => {
    await served.close();
    sandbox.close();
  });
  const service: Service = {
    apiKey,
    baseUrl: served.url,
    env: { MAILER_BASE_URL: served.url, MAILER_API_KEY: apiKey },
    requests,
    database: sandbox.path,
    async call(method, path, body) {
      const headers = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' };
      const url = `${served.url}/v1${path}`;
      const request = new Request(url, {
        method,
        headers,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const response = await sandbox.fetch(request);
      const text = await response.text();
      if (!response.ok) throw new Error(`${response.status} ${text}`);
      return JSON.parse(text);
    },
    async subjects() {
      // The shape of the sandbox's own replies.
      const { data } = (await service.call('GET', '/emails')) as { data: { subject: string }[] };
      return data.map(({ subject }) => subject);
    },
  };
  return service;
}
