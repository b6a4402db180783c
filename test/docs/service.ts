import { onTestFinished } from 'vitest';
import { serve } from '../../src/sandbox/http/serve.ts';
import { openSandbox } from '../../src/sandbox/open.ts';
import { temporaryDirectory } from '../support/process.ts';

/** The sandbox, served by this process, with a clock that makes waiting short. */
export interface Service {
  readonly apiKey: string;
  readonly baseUrl: string;
  /** Environment in which the program uses it. */
  readonly env: Readonly<Record<string, string>>;
  /** Method and path of each request of others, in order. */
  readonly requests: readonly string[];
  /** The file of its data. */
  readonly database: string;
  /** Sends it a request of the test's own; an answer that is no success is an error. */
  call(method: 'GET' | 'POST', path: string, body?: object): Promise<unknown>;
  /** Subjects of all emails, newest first. */
  subjects(): Promise<string[]>;
}

/** Milliseconds that go by from one request to the next: enough for whatever is under way. */
const step = 5000;

/** Starts it; it ends with the test. */
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
      // Shape of the sandbox's own replies.
      const { data } = (await service.call('GET', '/emails')) as { data: { subject: string }[] };
      return data.map(({ subject }) => subject);
    },
  };
  return service;
}
