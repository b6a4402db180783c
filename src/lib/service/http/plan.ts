import type { OperationId } from '../../../api/operations.ts';
import { grouped, quantity } from '../../base/text/quantity.ts';

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
  readonly url: string;
  readonly body?: unknown;
}

/** Stands in a plan for the id of what an earlier request of it creates. */
export const idToCome = 'NEW';

/** The verb and the thing of an operation, and what else it concerns whose number is unknown. */
type Words = readonly [verb: string, noun: string, also?: readonly [said: string, counted: string]];

const contactsOfCampaign = ['to its contacts', 'contacts'] as const;
/** In a book with double opt-in. */
const mayMail = ['who may be mailed to confirm', 'confirmation emails'] as const;

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
  'contact.create': ['adds or changes', 'contact', mayMail],
  'contact.bulkCreate': ['adds or changes', 'contact', mayMail],
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

/** What is known of a plan besides its requests. */
export interface PlanDetails {
  /** How many people are mailed to confirm; undefined if that is not known. */
  readonly mails?: number | undefined;
}

/** Adds up what requests would do, one after the other. */
export class EffectTally {
  readonly #told = new Map<string, { words: Words; count: number | null }>();
  readonly #ids = new Set<string>();
  readonly #counts: Record<string, number | null> = {};
  #isKnown = true;
  /** Contacts that are added or changed as unsubscribed ones. */
  #unsubscribed = 0;

  /** `items` stands for the number in its body. */
  add(request: PlannedRequest, items?: number | null): void {
    const words = wordsFor(request);
    if (words === undefined) {
      this.#isKnown = false;
      return;
    }
    const count = Array.isArray(request.body) ? request.body.length : 1;
    if (Array.isArray(request.body)) {
      this.#unsubscribed += request.body.filter((one) => Object(one).subscribed === false).length;
    }
    const before = this.#told.get(words.join())?.count ?? 0;
    this.#told.set(words.join(), { words, count: items === undefined ? before + count : items });
    const [, noun] = words;
    const id = idOf(request.url, noun);
    const isCounted = id !== undefined && (id === idToCome || this.#ids.has(`${noun} ${id}`));
    if (id !== undefined) this.#ids.add(`${noun} ${id}`);
    if (isCounted) return;
    const all = this.#counts[`${noun}s`] ?? 0;
    this.#counts[`${noun}s`] = items === undefined ? all + count : items;
  }

  end({ mails }: PlanDetails = {}): PlannedEffect {
    if (!this.#isKnown) return { words: 'sends a request whose effect is not known', counts: {} };
    const counts = { ...this.#counts };
    const words: string[] = [];
    for (const { words: one, count } of this.#told.values()) {
      const [verb, noun, also] = one;
      const what = count === null ? `${noun}s` : quantity(count, noun);
      const isTold = also !== undefined && !(also === mayMail && mails !== undefined);
      const no = also === mayMail ? this.#unsubscribed : 0;
      const unsubscribed = no > 0 ? `, ${grouped(no)} of them as unsubscribed` : '';
      words.push(`${verb} ${what}${unsubscribed}${isTold ? `, ${also[0]}` : ''}`);
      if (isTold) counts[also[1]] = null;
    }
    if (this.#unsubscribed > 0) counts.unsubscribed = this.#unsubscribed;
    if (mails !== undefined && mails > 0) {
      words.push(`mails ${mails === 1 ? '1 person' : `${grouped(mails)} people`} to confirm`);
      counts[mayMail[1]] = mails;
    }
    return { words: words.join('; '), counts };
  }
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

/** The id of what a request is about, in its path; undefined for what is new or in its body. */
function idOf(url: string, noun: string): string | undefined {
  const [, path = ''] = /\/v1\/([^?]*)/.exec(url) ?? [];
  const [collection, id, ...below] = path.split('/');
  const own = noun === 'contact' && collection === 'contactBooks' ? below[1] : id;
  // Where several are sent, there is no id.
  return own === 'bulk' || own === 'batch' ? undefined : own;
}

/** Whether a request creates a campaign that starts. */
function starts({ operation, body }: PlannedRequest): boolean {
  if (operation !== 'campaign.create') return false;
  const { sendNow, scheduledAt } = Object(body);
  return sendNow === true || scheduledAt !== undefined;
}
