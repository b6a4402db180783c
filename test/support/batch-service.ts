import type { ServerResponse } from 'node:http';
import type { Answer, Recorded } from './recorder.ts';

/** A response computed from its request. */
export type Handler = Extract<Answer, (...all: never[]) => unknown>;

/** The emails in the body of a batch request. */
export function emailsIn({ body }: Pick<Recorded, 'body'>): { to: string; subject?: string }[] {
  return JSON.parse(body);
}

/** Accepts a batch, with an id for each email made from its first address. All lists are empty. */
export const accept: Handler = (response, request) => {
  if (isEmailList(request)) return json(response, 200, { data: [], count: 0 });
  if (request.method === 'GET') return json(response, 200, []);
  json(response, 200, { data: emailsIn(request).map(({ to }) => ({ emailId: `em_${to}` })) });
};

/** The same, also for a single email. */
export const acceptAny: Handler = (response, request) => {
  const body: unknown = JSON.parse(request.body);
  if (Array.isArray(body)) return accept(response, request);
  json(response, 200, { emailId: `em_${Object(body).to}` });
};

/** Rejects a batch with one of these addresses, and names their indexes, as live servers do. */
export function refuseNamed(...bad: readonly string[]): Handler {
  return (response, request) => {
    const issues = emailsIn(request).flatMap(({ to }, index) =>
      bad.includes(to) ? [{ code: 'custom', path: [index, 'to'], message: `no ${to}` }] : [],
    );
    if (issues.length === 0) return accept(response, request);
    json(response, 400, { success: false, error: { issues, name: 'ZodError' } });
  };
}

/** The same without naming indexes. */
export function refuseUnnamed(...bad: readonly string[]): Handler {
  return (response, request) => {
    if (request.method === 'GET') return accept(response, request);
    const isBad = emailsIn(request).some(({ to }) => bad.includes(to));
    if (!isBad) return accept(response, request);
    json(response, 400, { error: { code: 'BAD_REQUEST', message: 'One of these is bad' } });
  };
}

/** Whether a request asks for the list of emails. */
export function isEmailList({ method, path }: Pick<Recorded, 'method' | 'path'>): boolean {
  return method === 'GET' && /\/v1\/emails(\?|$)/.test(path);
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
