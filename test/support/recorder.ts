import {
  createServer,
  type IncomingHttpHeaders,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A request as received. */
export interface Recorded {
  readonly method: string;
  /** Path and query, as sent. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** Header names and values as sent, in order. */
  readonly rawHeaders: readonly string[];
  readonly body: string;
}

/** A response: JSON unless `body` is a string; or a function that responds itself. */
export type Answer =
  | {
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: unknown;
      /** Whether this is for the request for the account's state; see `Recorder`. */
      readonly standing?: true;
    }
  | ((response: ServerResponse, request: Recorded) => void);

/**
 * A plain HTTP server that records requests and responds from a list, in order; after its end, with 599,
 * which no test expects. Whatever mails many people first asks for the account's state, which this service only
 * tells, and records, if the next response in the list is for that. What starts a campaign looks for others that sent
 * the same, among those that the next response lists; otherwise, there are none.
 */
export interface Recorder {
  /** Base URL for the program, ending in /api. */
  readonly baseUrl: string;
  readonly requests: readonly Recorded[];
  readonly url: string;
  /**
   * The clock that responses show, in milliseconds since 1970; the machine's by default. Requests that only ask for
   * it are not recorded.
   */
  now: () => number;
  /** Whether requests for the clock get the next response, too. */
  answersClock?: boolean;
  /** Whether requests for all campaigns get the next response, too. */
  answersCampaigns?: boolean;
  close(): Promise<void>;
}

/** Starts a recorder, which is closed after the test at the latest. */
export async function startRecorder(...answers: readonly Answer[]): Promise<Recorder> {
  return await start(answers, () => false);
}

/** The same for a service that does not describe its API: requests for that are not recorded. */
export async function startUndescribed(...answers: readonly Answer[]): Promise<Recorder> {
  return await start(answers, ({ path }) => path.endsWith('/v1/doc'));
}

/** The same for a service that shows no stored templates. */
export async function startWithoutTemplates(...answers: readonly Answer[]): Promise<Recorder> {
  return await start(answers, ({ path }) => path.includes('/v1/templates/'));
}

async function start(
  answers: readonly Answer[],
  isLacking: (request: Recorded) => boolean,
): Promise<Recorder> {
  const requests: Recorded[] = [];
  const recorder: Recorder = { url: '', baseUrl: '', requests, now: Date.now, close };
  const left = [...answers];
  const server = createServer((message, response) => {
    const chunks: Buffer[] = [];
    message.on('data', (chunk: Buffer) => chunks.push(chunk));
    message.on('end', () => {
      const recorded = {
        method: message.method ?? '',
        path: message.url ?? '',
        headers: message.headers,
        rawHeaders: message.rawHeaders,
        body: Buffer.concat(chunks).toString('utf8'),
      };
      response.setHeader('date', new Date(recorder.now()).toUTCString());
      if (
        message.method === 'HEAD' &&
        !recorder.answersClock &&
        recorded.path.endsWith('/v1/domains')
      ) {
        response.end();
        return;
      }
      if (isLacking(recorded) || (asksForStanding(recorded.path) && !isForStanding(left[0]))) {
        answer({ status: 404, body: '404 Not Found' }, response, recorded);
        return;
      }
      const listsItself = (next: Answer | undefined) =>
        recorder.answersCampaigns === true || listsCampaigns(next);
      const isStart = requests.some(({ path }) => !asksForOthers(path));
      if (isStart && asksForOthers(recorded.path) && !listsItself(left[0])) {
        answer({ body: { campaigns: [], totalPage: 0 } }, response, recorded);
        return;
      }
      requests.push(recorded);
      answer(left.shift() ?? { status: 599, body: 'no answer left' }, response, recorded);
    });
  });
  const url = await listen(server);
  onTestFinished(close);
  return Object.assign(recorder, { url, baseUrl: `${url}/api` });

  async function close(): Promise<void> {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

/** Whether a request to this path is for the account's state. */
export function asksForStanding(path = ''): boolean {
  return path.endsWith('/v1/reputation/status');
}

/** Whether a request to this path lists all campaigns, as a start does. */
function asksForOthers(path: string): boolean {
  return path.endsWith('/v1/campaigns?page=1');
}

function listsCampaigns(answer: Answer | undefined): boolean {
  return JSON.stringify(answer)?.includes('campaigns') === true;
}

function isForStanding(answer: Answer | undefined): boolean {
  return answer !== undefined && 'standing' in answer;
}

function answer(how: Answer, response: ServerResponse, request: Recorded): void {
  if (typeof how === 'function') {
    how(response, request);
    return;
  }
  const { status = 200, headers = {}, body = {} } = how;
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const type = typeof body === 'string' ? 'text/plain' : 'application/json';
  response.writeHead(status, { 'content-type': type, ...headers }).end(text);
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server that listens on a TCP port has an AddressInfo.
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
}
