import type { ServerResponse } from 'node:http';
import type { Answer, Recorded } from './recorder.ts';

/** An answer that is made of its request. */
type Handler = Extract<Answer, (...all: never[]) => unknown>;

/** The emails in the body of a batch request. */
export function emailsIn({ body }: Pick<Recorded, 'body'>): { to: string; subject?: string }[] {
  return JSON.parse(body);
}

/** Accepts a batch: an id for each email, made of its first address. A list of domains is empty. */
export const accept: Handler = (response, request) => {
  if (request.method === 'GET') return json(response, 200, []);
  json(response, 200, { data: emailsIn(request).map(({ to }) => ({ emailId: `em_${to}` })) });
};

/** The same, of a single email too. */
export const acceptAny: Handler = (response, request) => {
  const body: unknown = JSON.parse(request.body);
  if (Array.isArray(body)) return accept(response, request);
  json(response, 200, { emailId: `em_${Object(body).to}` });
};

/** Refuses a batch that holds one of these addresses, naming the places, as live servers do. */
export function refuseNamed(...bad: readonly string[]): Handler {
  return (response, request) => {
    const issues = emailsIn(request).flatMap(({ to }, index) =>
      bad.includes(to) ? [{ code: 'custom', path: [index, 'to'], message: `no ${to}` }] : [],
    );
    if (issues.length === 0) return accept(response, request);
    json(response, 400, { success: false, error: { issues, name: 'ZodError' } });
  };
}

/** The same without naming any. */
export function refuseUnnamed(...bad: readonly string[]): Handler {
  return (response, request) => {
    if (request.method === 'GET') return accept(response, request);
    const isBad = emailsIn(request).some(({ to }) => bad.includes(to));
    if (!isBad) return accept(response, request);
    json(response, 400, { error: { code: 'BAD_REQUEST', message: 'One of these is bad' } });
  };
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
