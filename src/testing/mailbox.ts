/** A link in a message. */
export interface Link {
  url: string;
  /** What the reader sees. */
  text: string;
  /** Whether it is there to unsubscribe. */
  unsubscribes: boolean;
}

/** A message that arrived. */
export interface Message {
  id: string;
  /** A mailbox, such as `Shop <shop@example.com>`, like all addresses here. */
  from: string;
  to: string[];
  cc: string[];
  bcc: string[];
  replyTo: string[];
  subject: string;
  status: string;
  /** ISO 8601, by the clock of the sandbox. */
  createdAt: string;
  text: string | null;
  html: string | null;
  /** The headers that the sender added, by name. */
  headers: Record<string, string>;
  /** `size` is in bytes; `path` is that of the content at the URL of the sandbox. */
  attachments: { filename: string; size: number; path: string }[];
  links: Link[];
  /** Numbers and capitals that may be a code; `named` if words beside it say that it is one. */
  codes: { code: string; named: boolean }[];
  /** The code, if it is clear which one is meant. */
  code: string | null;
}

/** What a message must be like. */
export interface Filter {
  /** The exact address of the sender. */
  from?: string;
  /** A part of the subject, whatever its case. */
  subject?: string;
  /** How long to wait: `500ms`, `4s` (the default), `1m`, or a number of milliseconds. */
  timeout?: string | number;
}

/**
 * The messages to one address. Each is given once in this process: every call waits for one that is newer than the last,
 * also of another object for the same address of the same account.
 */
export interface Mailbox {
  /** The newest message. Rejects after the timeout, and says what came instead. */
  wait(filter?: Filter): Promise<Message>;
  /** This many messages, oldest first. */
  messages(count: number, filter?: Filter): Promise<Message[]>;
  /** The code in the newest message that has one. Rejects if it is not clear which one is meant. */
  code(filter?: Filter): Promise<string>;
  /**
   * The URL of a link in the newest message that has it. `part` is a part of the URL or of what the reader sees; without it, any
   * link but that to unsubscribe. Rejects if it is not clear which one is meant.
   */
  link(part?: string, filter?: Filter): Promise<string>;
  /** Resolves if nothing comes for this time: `500ms`, or a number of milliseconds. */
  none(during: string | number, filter?: Omit<Filter, 'timeout'>): Promise<void>;
}

/** Sends a request to the control endpoint. */
export type Get = <Body>(path: string) => Promise<Body>;

/** The ids of the last messages that were given, by account and address. */
const lastGiven = new Map<string, string>();

/** The messages to `address`, or to anybody, in the account that `get` asks, which `account` tells from all others. */
export function mailboxOf(get: Get, account: string, address: string | undefined): Mailbox {
  const place = `${account} ${address?.trim().toLowerCase() ?? ''}`;

  async function arrive(filter: Filter, more: Record<string, string>): Promise<Message[]> {
    const { from, subject, timeout = '4s' } = filter;
    const last = lastGiven.get(place);
    const wait = typeof timeout === 'number' ? `${Math.ceil(timeout)}ms` : timeout;
    const given = { to: address, from, subject, since: last, timeout: wait, ...more };
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(given)) {
      if (value !== undefined) query.set(name, value);
    }
    try {
      const { messages } = await get<{ messages: Message[] }>(`/messages/wait?${query}`);
      return messages;
    } catch (error) {
      if (last === undefined || !(error instanceof Error)) throw error;
      // A reset deleted it, with all that came before it.
      if (error.message.startsWith(`There is no message "${last}"`)) {
        lastGiven.delete(place);
        return await arrive(filter, more);
      }
      if (more.count === '0') throw error;
      const { message } = error;
      throw new Error(
        `${message} This mailbox has returned message ${last} already, and returns each message once. For code and links of one message, call wait() first.`,
      );
    }
  }

  function give<Value>(value: Value, { id }: Message): Value {
    lastGiven.set(place, id);
    return value;
  }

  async function newest(filter: Filter, more: Record<string, string> = {}): Promise<Message> {
    const [message] = await arrive(filter, more);
    if (message === undefined) throw new Error('The message was deleted meanwhile.');
    return message;
  }

  return {
    async wait(filter = {}) {
      const message = await newest(filter);
      return give(message, message);
    },
    async messages(count, filter = {}) {
      const messages = await arrive(filter, { count: String(count) });
      const [last] = messages;
      return last === undefined ? [] : give(messages.reverse(), last);
    },
    async code(filter = {}) {
      const message = await newest(filter, { code: 'true' });
      const { code, codes, subject } = message;
      if (code !== null) return give(code, message);
      throw unclear(
        'code',
        subject,
        codes.map((one) => one.code),
      );
    },
    async link(part = '', filter = {}) {
      const message = await newest(filter, { link: part });
      const { links, subject } = message;
      const wanted = part.toLowerCase();
      const all = links.filter(({ url, text }) => `${url}\n${text}`.toLowerCase().includes(wanted));
      const others = all.filter(({ unsubscribes }) => !unsubscribes);
      const found = others.length > 0 ? others : all;
      const [link, second] = found;
      if (link !== undefined && second === undefined) return give(link.url, message);
      throw unclear(
        'link',
        subject,
        found.map(({ url }) => url),
      );
    },
    async none(during, filter = {}) {
      await arrive({ ...filter, timeout: during }, { count: '0' });
    },
  };
}

function unclear(what: string, subject: string, found: readonly string[]): Error {
  return new Error(
    `It is not clear which ${what} is meant: ${JSON.stringify(subject)} has ${found.join(', ') || 'none'}.`,
  );
}
