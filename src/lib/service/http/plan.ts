import type { OperationId } from '../../../api/operations.ts';
import { quantity } from '../../base/text/quantity.ts';

/** What a request would do, as far as it shows that. */
export interface PlannedEffect {
  /** In words, such as `deletes 1 contact book, with its contacts`. */
  readonly words: string;
  /** How many of what; null where counting would take a request. */
  readonly counts: Readonly<Record<string, number | null>>;
}

/** A request of a plan. */
export interface PlannedRequest {
  /** Undefined if the contract does not have it. */
  readonly operation: OperationId | undefined;
  readonly body: unknown;
}

/** The verb and the thing of an operation, and what else it concerns whose number is unknown. */
type Words = readonly [verb: string, noun: string, also?: readonly [said: string, counted: string]];

const contactsOfCampaign = ['to its contacts', 'contacts'] as const;

/** Every operation that does more than read. A test compares them with the contract. */
const words: { readonly [Id in OperationId]?: Words } = {
  'email.send': ['sends', 'email'],
  'email.batch': ['sends', 'email'],
  'email.reschedule': ['reschedules', 'email'],
  'email.cancel': ['cancels', 'email'],
  'campaign.create': ['creates', 'campaign'],
  'campaign.schedule': ['starts', 'campaign', contactsOfCampaign],
  'campaign.resume': ['resumes', 'campaign', contactsOfCampaign],
  'campaign.pause': ['pauses', 'campaign'],
  'campaign.delete': ['deletes', 'campaign', ['with its unsent emails', 'emails']],
  'contactBook.create': ['creates', 'contact book'],
  'contactBook.update': ['changes', 'contact book'],
  'contactBook.delete': ['deletes', 'contact book', ['with its contacts', 'contacts']],
  'contact.create': ['adds or changes', 'contact'],
  'contact.bulkCreate': ['adds or changes', 'contact'],
  'contact.update': ['changes', 'contact'],
  'contact.delete': ['deletes', 'contact'],
  'domain.create': ['adds', 'domain'],
  'domain.verify': ['verifies', 'domain'],
  'domain.delete': [
    'deletes',
    'domain',
    ['from which campaigns and scheduled emails may be left', 'campaigns and scheduled emails'],
  ],
  'event.send': ['sends', 'event'],
  'segment.create': ['creates', 'segment'],
  'segment.materialize': [
    'creates',
    'contact book',
    ['with the contacts of a segment', 'contacts'],
  ],
  'segment.delete': ['deletes', 'segment'],
  'template.create': ['creates', 'template'],
};

/** What these requests would do. `items` are those of the whole, of which they may be only the first part. */
export function effectOf(
  requests: readonly PlannedRequest[],
  items?: number | null,
): PlannedEffect {
  const told = new Map<string, { words: Words; count: number | null }>();
  for (const request of requests) {
    const one = wordsFor(request);
    if (one === undefined) {
      return { words: 'sends a request whose effect is not known', counts: {} };
    }
    const count = Array.isArray(request.body) ? request.body.length : 1;
    const before = told.get(one.join())?.count ?? 0;
    told.set(one.join(), { words: one, count: items === undefined ? before + count : items });
  }
  const counts: Record<string, number | null> = {};
  const words: string[] = [];
  for (const { words: one, count } of told.values()) {
    const [verb, noun, also] = one;
    const what = count === null ? `${noun}s` : quantity(count, noun);
    words.push(`${verb} ${what}${also === undefined ? '' : `, ${also[0]}`}`);
    const before = counts[`${noun}s`] ?? 0;
    counts[`${noun}s`] = count === null ? null : before + count;
    if (also !== undefined) counts[also[1]] = null;
  }
  return { words: words.join(', '), counts };
}

function wordsFor(request: PlannedRequest): Words | undefined {
  const { operation, body } = request;
  const known = operation === undefined ? undefined : words[operation];
  if (known === undefined) return undefined;
  const [verb, noun] = known;
  if (starts(request)) return [verb, noun, contactsOfCampaign];
  const { subscribed, ...others } = Object(body);
  const unsubscribes =
    operation === 'contact.update' && subscribed === false && Object.keys(others).length === 0;
  return unsubscribes ? ['unsubscribes', noun] : known;
}

/** Whether a request creates a campaign that starts. */
function starts({ operation, body }: PlannedRequest): boolean {
  if (operation !== 'campaign.create') return false;
  const { sendNow, scheduledAt } = Object(body);
  return sendNow === true || scheduledAt !== undefined;
}
