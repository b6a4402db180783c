import type { ServerResponse } from 'node:http';
import type { Answer } from '../../support/recorder.ts';

/** A domain as in the specification. */
export function domain(id: number, name: string, fields: Readonly<Record<string, unknown>> = {}) {
  return {
    id,
    name,
    teamId: 7,
    status: 'PENDING',
    region: 'eu-west-1',
    publicKey: 'MIGf',
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-02T00:00:00.000Z',
    dnsRecords: [],
    ...fields,
  };
}

/** Repeats the same response. */
export function forever(answer: Answer): Answer[] {
  return Array.from({ length: 500 }, () => answer);
}

/**
 * A live server with one domain. A verification advances to the next of `looks` only when the
 * domain is requested by its id, and stays at the last one. The list does not advance it.
 */
export function liveDomain(before: { readonly id: number }, looks: readonly object[]): Answer {
  let shown: object = before;
  const left = [...looks];
  return (response, { method, path }) => {
    const byId = path.endsWith(`/${before.id}`);
    if (method === 'PUT') shown = { ...shown, isVerifying: true };
    else if (byId && 'isVerifying' in shown && shown.isVerifying) {
      shown = { ...shown, ...left.shift() };
    }
    if (method === 'PUT') json(response, { message: 'ok' });
    else json(response, byId ? shown : [shown]);
  };
}

function json(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
