import { type EmailStatus, emailStatuses } from '../../../src/api/email-status.ts';
import { day } from '../harness.ts';

/** The fields of an email that matter to the model. */
export interface Message {
  readonly to: string;
  readonly subject: string;
  readonly scheduledAt?: string;
}

/** The response to a request: the numbers of its emails, or an error's status. */
export type Answer = { readonly sent: readonly number[] } | { readonly refused: number };

/** An entry of a history: status and time. */
export type Entry = `${EmailStatus} ${string}`;

interface Modelled {
  readonly to: string;
  state:
    | { readonly is: 'scheduled'; readonly at: number }
    | { readonly is: 'cancelled'; readonly at: number }
    | { readonly is: 'released'; readonly at: number };
}

/** The events of an email, in milliseconds after it is sent, by the start of its recipient. */
const fates: Readonly<Record<string, readonly (readonly [number, EmailStatus])[]>> = {
  delivered: [
    [300, 'SENT'],
    [1000, 'DELIVERED'],
  ],
  opened: [
    [300, 'SENT'],
    [1000, 'DELIVERED'],
    [2000, 'OPENED'],
  ],
  bounced: [
    [300, 'SENT'],
    [1000, 'BOUNCED'],
  ],
  complained: [
    [300, 'SENT'],
    [1000, 'DELIVERED'],
    [2000, 'COMPLAINED'],
  ],
  failed: [[300, 'FAILED']],
};

export const recipients = [
  'delivered@example.com',
  'opened@example.com',
  'bounced+a@example.com',
  'bounced+b@example.com',
  'complained@example.com',
  'failed@example.com',
] as const;

/**
 * How the sandbox handles emails, written again in the simplest way: no jobs, no tables, and a
 * history that is computed when it is read. Emails are numbers, in the order of sending.
 */
export class Model {
  now: number;
  readonly #emails: Modelled[] = [];
  readonly #keys = new Map<string, { body: string; numbers: number[]; until: number }>();

  constructor(now: number) {
    this.now = now;
  }

  get count(): number {
    return this.#emails.length;
  }

  /** Sends these emails in one request with this `body`. */
  send(key: string | undefined, body: unknown, messages: readonly Message[]): Answer {
    const text = JSON.stringify(body);
    const known = key === undefined ? undefined : this.#keys.get(key);
    if (known !== undefined && known.until > this.now) {
      return known.body === text ? { sent: known.numbers } : { refused: 409 };
    }
    const numbers = messages.map(({ to, scheduledAt }) => {
      const at = scheduledAt === undefined ? this.now : Date.parse(scheduledAt);
      const later = at > this.now;
      this.#emails.push({
        to,
        state: { is: later ? 'scheduled' : 'released', at: later ? at : this.now },
      });
      return this.#emails.length - 1;
    });
    if (key !== undefined) this.#keys.set(key, { body: text, numbers, until: this.now + day });
    return { sent: numbers };
  }

  reschedule(number: number, at: number): Answer {
    const email = this.#scheduled(number);
    if (email === undefined) return { refused: 400 };
    email.state = at > this.now ? { is: 'scheduled', at } : { is: 'released', at: this.now };
    return { sent: [number] };
  }

  cancel(number: number): Answer {
    const email = this.#scheduled(number);
    if (email === undefined) return { refused: 400 };
    email.state = { is: 'cancelled', at: this.now };
    return { sent: [number] };
  }

  #scheduled(number: number): Modelled | undefined {
    const email = this.#emails[number];
    return email?.state.is === 'scheduled' && email.state.at > this.now ? email : undefined;
  }

  /** Each email's history until now, in order, and its latest status. */
  histories(): { entries: Entry[]; latest: EmailStatus }[] {
    const suppressed = new Map<string, number>();
    const found = new Map<Modelled, { entries: Entry[]; latest: EmailStatus }>();
    const inOrder = [...this.#emails].sort((a, b) => a.state.at - b.state.at);
    for (const email of inOrder) {
      const events = this.#eventsOf(email, suppressed).filter(([at]) => at <= this.now);
      const lowest: EmailStatus =
        email.state.is === 'released' || email.state.at <= this.now ? 'QUEUED' : 'SCHEDULED';
      const seen = events.map(([, status]) => status);
      found.set(email, {
        entries: events.map(([at, status]) => `${status} ${new Date(at).toISOString()}` as const),
        latest: seen.includes('CANCELLED') ? 'CANCELLED' : highest([lowest, ...seen]),
      });
    }
    return this.#emails.flatMap((email) => found.get(email) ?? []);
  }

  /** An email's events, later ones too. Adds recipients that become suppressed. */
  #eventsOf({ to, state }: Modelled, suppressed: Map<string, number>): [number, EmailStatus][] {
    if (state.is === 'cancelled') return [[state.at, 'CANCELLED']];
    if ((suppressed.get(to) ?? Number.POSITIVE_INFINITY) <= state.at) {
      return [[state.at, 'SUPPRESSED']];
    }
    const fate = fates[to.split(/[@+]/, 1)[0] ?? ''] ?? [];
    return fate.map(([after, status]) => {
      const at = state.at + after;
      if ((status === 'BOUNCED' || status === 'COMPLAINED') && !suppressed.has(to)) {
        suppressed.set(to, at);
      }
      return [at, status];
    });
  }
}

function highest(statuses: readonly EmailStatus[]): EmailStatus {
  const ranks = statuses.map((status) => emailStatuses.indexOf(status));
  return emailStatuses[Math.max(...ranks)] ?? 'QUEUED';
}
