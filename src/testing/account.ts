import { type Mailbox, mailboxOf } from './mailbox.ts';
import { ask } from './request.ts';

/** An account of the sandbox, which shares nothing with the others. */
export interface Account {
  /** For the npm client and for pages: `http://127.0.0.1:PORT`. The inbox is there, too. */
  readonly url: string;
  /** For `MAILER_BASE_URL`: the URL followed by `/api`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** The messages to an address, copies included; without one, all messages. */
  mailbox(address?: string): Mailbox;
  /** Passes time, such as `1h`: scheduled mail is sent, campaigns finish, calls of webhooks are repeated. */
  advance(by: string): Promise<void>;
  /** Makes requests fail, as `--fault` of `mailer sandbox start` does: `POST /v1/emails 503 x2`. */
  fault(...faults: string[]): Promise<void>;
  /** Ends all faults. */
  noFaults(): Promise<void>;
  /** Sends calls to a handler on this machine. Without events, those that a service sends by itself. */
  addWebhook(url: string, options?: { events?: string[]; secret?: string }): Promise<void>;
  /** The handlers, and the last calls, newest first. */
  webhooks(): Promise<{ webhooks: Webhook[]; calls: WebhookCall[] }>;
  /** Back to the data at the start. */
  reset(): Promise<void>;
}

/** A handler of webhooks. */
export interface Webhook {
  id: string;
  url: string;
  events: string[];
  enabled: boolean;
}

/** A call of a webhook, with its last attempt. */
export interface WebhookCall {
  id: string;
  webhookId: string;
  type: string;
  data: unknown;
  attempts: number;
  delivered: boolean;
  /** The status of the response; null if there was none. */
  status: number | null;
}

/** The account of a key at a sandbox. */
export function accountAt(url: string, apiKey: string): Account {
  const control = <Body = void>(method: string, path: string, body?: unknown) =>
    ask<Body>(url, { method, path: `/control${path}`, key: apiKey, body });
  return {
    url,
    baseUrl: `${url}/api`,
    apiKey,
    mailbox: (address) => mailboxOf((path) => control('GET', path), `${url} ${apiKey}`, address),
    advance: (by) => control('POST', '/advance', { by }),
    fault: (...faults) => control('POST', '/faults', { faults }),
    noFaults: () => control('DELETE', '/faults'),
    addWebhook: (handler, options = {}) =>
      control('POST', '/webhooks', { url: handler, ...options }),
    webhooks: () => control('GET', '/webhooks'),
    reset: () => control('DELETE', '/account'),
  };
}
