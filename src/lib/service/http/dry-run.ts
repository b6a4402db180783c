import type { OperationId } from '../../../api/operations.ts';
import { parseExact } from '../../base/json/exact-numbers.ts';
import { bodyText, type WireRequest } from '../../base/system/wire.ts';
import { maxNames, withOverflowCount } from '../../base/text/quoted-names.ts';
import { escapeJson, visible, visibleLines } from '../../base/text/visible.ts';
import type { PlanDetails, PlannedEffect } from './plan.ts';
import type {
  DryRunDocument,
  PlainRequest,
  PlanDocument,
  PolicyVerdict,
  ShownRequest,
} from './plan-shape.ts';

/** Ends a command under `--dry-run`; has the request that would have been sent. */
export class DryRun extends Error {
  readonly request: WireRequest;
  readonly about: AboutDryRun;

  constructor(request: WireRequest, about: AboutDryRun = {}) {
    super('dry run');
    this.request = request;
    this.about = about;
  }
}

/** What else to show about a request. */
interface AboutDryRun {
  /** For `--expect`. */
  readonly digest?: string | undefined;
  /** The policy's verdict on it; undefined if there are no rules. */
  readonly policy?: PolicyVerdict | undefined;
  /** Other requests that the command would send. */
  readonly others?: readonly DryRun[];
  /** Undefined if the contract does not have it. */
  readonly operation?: OperationId | undefined;
  /** How many things the whole is about, of which this is only the first request; null if that is not known. */
  readonly items?: number | null | undefined;
  /** The digest with names in place of the ids that were found by them. */
  readonly byName?: string | undefined;
  /** Whether others of its requests are not kept. */
  readonly isPart?: boolean;
  /** What all requests do, if not what is shown of them says it. */
  readonly effect?: PlannedEffect | undefined;
}

/** Stands for the base URL if a dry run has none. */
export const unknownBaseUrl = 'http://base-url.invalid';

/** The request as text, like HTTP, followed by the others. Without the key. */
export function requestText({ request, about: { others = [] } }: DryRun): string {
  const { method, url, headers: given, body } = request;
  const headers = Object.entries(given).map(([name, value]) => `${name}: ${value}`);
  const head = [`${method} ${shownUrl(url)}`, ...headers].map(visible);
  const json = body === undefined ? '' : JSON.stringify(parseExact(bodyText(body)), null, 2);
  const shown = body === undefined ? [] : ['', visibleLines(json)];
  return [`${[...head, ...shown].join('\n')}\n`, ...others.map(requestText)].join('\n');
}

/** The request as one JSON document: method, url, headers, and the body as JSON. */
export async function requestJson(
  dryRun: DryRun,
  { isIndented }: { isIndented: boolean },
): Promise<string> {
  return `${escapeJson(JSON.stringify(await documentOf(dryRun), null, isIndented ? 2 : 0))}\n`;
}

async function documentOf(dryRun: DryRun): Promise<DryRunDocument> {
  const { others } = dryRun.about;
  return {
    ...withVerdict(dryRun),
    ...(others === undefined ? {} : { others: others.map(withVerdict) }),
    ...(await planDocument(dryRun)),
  };
}

/** The plan alone, without what only the first request has; that of no requests for undefined. */
export async function planDocument(dryRun: DryRun | undefined): Promise<PlanDocument> {
  if (dryRun === undefined) return { requests: [], effect: 'changes nothing', counts: {} };
  const { others = [], items, digest } = dryRun.about;
  const all = [dryRun, ...others];
  const requests = all.map(plainRequest);
  const { EffectTally } = await import('./plan.ts');
  const tally = new EffectTally();
  for (const one of all) tally.add({ operation: one.about.operation, ...plainRequest(one) }, items);
  const { words: effect, counts } = dryRun.about.effect ?? tally.end();
  return { requests, effect, counts, ...(digest === undefined ? {} : { digest }) };
}

function withVerdict(dryRun: DryRun): ShownRequest {
  const { digest, policy } = dryRun.about;
  return {
    ...plainRequest(dryRun),
    ...(digest === undefined ? {} : { digest }),
    ...(policy === undefined ? {} : { policy }),
  };
}

function plainRequest({ request: { method, url, headers, body } }: DryRun): PlainRequest {
  const shown = { method, url: shownUrl(url), headers };
  return body === undefined ? shown : { ...shown, body: parseExact(bodyText(body)) };
}

/** How several dry runs are joined. */
export interface Joining extends PlanDetails {
  /** Whether only the first request of each operation is kept: there may be very many. */
  readonly isBrief?: boolean;
  /** Names by the ids that were found by them. */
  readonly names?: ReadonlyMap<string, string>;
}

/** One dry run of what several ones show, in order; undefined if there are none. Its digest is theirs, if all are known. */
export async function joinDryRuns(
  all: Iterable<DryRun> | AsyncIterable<DryRun>,
  { isBrief = false, names = new Map(), ...details }: Joining = {},
): Promise<DryRun | undefined> {
  const [{ digestOfAll, namedDigest }, { EffectTally }] = await Promise.all([
    import('./request-digest.ts'),
    import('./plan.ts'),
  ]);
  const [digest, byName] = [digestOfAll(), digestOfAll()];
  const tally = new EffectTally();
  const kept: DryRun[] = [];
  let isPart = false;
  for await (const one of all) {
    const { operation } = one.about;
    digest.add(one.about.digest);
    if (names.size > 0) byName.add(namedDigest(one.request, names));
    tally.add({ operation, ...plainRequest(one) });
    if (!isBrief || !kept.some(({ about }) => about.operation === operation)) kept.push(one);
    else isPart = true;
  }
  const [first, ...others] = kept;
  if (first === undefined) return undefined;
  // Whom the service mails is not in the requests.
  const mails = details.mails ? `mails ${details.mails}` : '';
  for (const one of [digest, byName]) if (mails !== '') one.add(mails);
  const { policy, operation } = first.about;
  return new DryRun(first.request, {
    ...{ policy, operation, isPart, digest: digest.end(), byName: byName.end() },
    ...(others.length > 0 ? { others } : {}),
    effect: tally.end(details),
  });
}

/** The policy's verdict on a request, in sentences. `isStored` is whether its command stores what needs approval. */
export function verdictInWords(
  { about: { policy } }: DryRun,
  { isStored }: { readonly isStored: boolean },
): string[] {
  const { places = [], redirectedFor = [], unchecked, approval } = policy ?? {};
  const needed = approval && `${approval}${isStored ? ' It would be stored in the outbox.' : ''}`;
  const from = withOverflowCount(redirectedFor.slice(0, maxNames), redirectedFor.length).join(', ');
  return [
    ...(places.length === 0 ? [] : [`The policy allows this (${places.join(', ')}).`]),
    ...(from === '' ? [] : [`Redirected; it was for ${from}.`]),
    ...(unchecked ? [unchecked] : []),
    ...(needed ? [needed] : []),
  ];
}

function shownUrl(url: URL): string {
  return url.href.replace(unknownBaseUrl, '{base_url}');
}
