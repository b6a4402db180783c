import type { ServedSandbox } from './served.ts';

/** An email to send, with its own key. */
export interface Sending {
  readonly key: string;
  /** Its id, once the service has acknowledged it. */
  id?: string;
}

/** Sends plain HTTP requests to a served sandbox. */
export function clientOf({ baseUrl, apiKey }: Pick<ServedSandbox, 'baseUrl' | 'apiKey'>) {
  const headers = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' };

  /** Status and JSON of the response. */
  async function request(path: string, init: RequestInit = {}) {
    const given = new Headers(init.headers);
    for (const [name, value] of Object.entries(headers)) given.set(name, value);
    const reply = await fetch(`${baseUrl}/v1${path}`, { ...init, headers: given });
    const body: unknown = await reply.json();
    return { status: reply.status, body };
  }

  return {
    request,
    /** Sends an email with its key as the subject. Returns the status; sets the id if it is 200. */
    async send(sending: Sending): Promise<number> {
      const { status, body } = await request('/emails', {
        method: 'POST',
        headers: { 'Idempotency-Key': sending.key },
        body: JSON.stringify({
          from: 'shop@example.com',
          to: 'ana@example.org',
          subject: sending.key,
          text: 'Hi',
        }),
      });
      if (status === 200) sending.id = idIn(body);
      return status;
    },
    /** All emails, by id, newest first. */
    async subjects(): Promise<Map<string, string>> {
      const found = new Map<string, string>();
      for (let page = 1; ; page++) {
        const { body } = await request(`/emails?limit=50&page=${page}`);
        // A reply by the contract, which other tests check.
        const { data } = body as { data: { id: string; subject: string }[] };
        for (const { id, subject } of data) found.set(id, subject);
        if (data.length < 50) return found;
      }
    },
  };
}

function idIn(body: unknown): string {
  if (typeof body === 'object' && body !== null && 'emailId' in body) return String(body.emailId);
  throw new TypeError(`no emailId in ${JSON.stringify(body)}`);
}
