import { request } from 'node:http';

/** A request to a sandbox. */
export interface SandboxRequest {
  readonly method: string;
  readonly path: string;
  readonly key: string;
  readonly body?: unknown;
}

/**
 * Sends a request to a sandbox. It uses neither `fetch` nor a shared agent, because tests often replace these. Rejects with the
 * reason if the sandbox rejects it.
 */
export function ask<Body>(
  origin: string,
  { method, path, key, body }: SandboxRequest,
): Promise<Body> {
  return new Promise((resolve, reject) => {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const headers = {
      Authorization: `Bearer ${key}`,
      ...(text === undefined ? {} : { 'Content-Type': 'application/json' }),
    };
    const outgoing = request(new URL(path, origin), { method, headers, agent: false }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk) => chunks.push(chunk));
      answer.on('error', reject);
      answer.on('end', () => {
        const read = Buffer.concat(chunks).toString('utf8');
        try {
          const parsed = JSON.parse(read);
          if ((answer.statusCode ?? 0) < 400) resolve(parsed);
          else reject(new Error(parsed.error.message));
        } catch {
          reject(new Error(`${method} ${path}: the response is not JSON: ${read.slice(0, 200)}`));
        }
      });
    });
    outgoing.on('error', (cause) => {
      reject(new Error(`${method} ${path}: the sandbox does not respond at ${origin}`, { cause }));
    });
    outgoing.end(text);
  });
}
