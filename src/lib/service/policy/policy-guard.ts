import { isAbsolute } from 'node:path';
import { MailerError, when } from '../../base/errors.ts';
import { bodyText } from '../../base/system/wire.ts';
import { sha256 } from '../../base/text/sha256.ts';
import { visible } from '../../base/text/visible.ts';
import type { ApprovedRequest, Guard } from '../http/request-guard.ts';
import type { DayCount } from './day-count.ts';
import { type Agreed, mayDelete } from './deletes.ts';
import { classify, isStop } from './mailing.ts';
import type { Policy } from './policy.ts';
import {
  policyError,
  throwIf,
  tooManyFor,
  tooManyToday,
  whyApproval,
  whyNotChanged,
} from './refusal.ts';

/** The rules that apply, and the profile in use. */
export interface PolicyInForce {
  readonly policy: Policy;
  readonly profile: string;
}

export interface GuardOptions {
  readonly inForce: () => Promise<PolicyInForce>;
  /** Has a person at a terminal agree, whatever the flags. */
  readonly agreed: Agreed;
  readonly baseUrl: string;
  readonly dayCount: () => Promise<DayCount>;
  readonly uuid: () => string;
  /** Whether the command line asks to store what would be mailed. */
  readonly forApproval: boolean;
  /** Called with a note about each request that leaves redirected; a file may be one of a cloned project. */
  readonly redirects: (note: string, isByFile: boolean) => void;
}

/** The most addresses a verdict lists. */
const mostListed = 1000;

/**
 * The guard of one command: checks every request that does more than read, and counts the command's recipients for
 * `max-recipients`.
 */
export function createGuard(options: GuardOptions): Guard {
  const { inForce, baseUrl, dayCount, uuid, redirects } = options;
  /** How many requests with a name may have been carried out. */
  const holders = new Map<string, number>();
  let recipients = 0;
  return async (departure) => {
    const { request, idempotencyKey, whole } = departure;
    const { kind, ids } = classify(request);
    const mails = kind !== 'none';
    const asked = mails && options.forApproval && !departure.isApproved;
    const asItIs = {
      ...{ request, idempotencyKey, mails, verdict: undefined, reserve: () => () => {} },
      hold: asked ? { refusal: undefined } : undefined,
    };
    // Stopping works even if the rules are damaged.
    if (isStop(request)) {
      const rules = await inForce().catch(when(MailerError, () => undefined));
      throwIf(rules && whyNotChanged(rules.policy));
      return asItIs;
    }
    const { policy, profile } = await inForce();
    throwIf(whyNotChanged(policy));
    if (departure.effect === 'deletes') {
      const question = `DELETE ${visible(request.path)}?`;
      await mayDelete(policy, question, departure.showOnly ? undefined : options.agreed);
    }
    if (!mails || policy.shown.length === 0) return asItIs;
    const { examineMail } = await import('./examine-mail.ts');
    const mail = await examineMail({ ...departure, kind, ids, policy });
    const { redirectedFor = [], redirect, unchecked } = mail;
    const units = whole?.recipients ?? mail.units;
    const key = keyOf(idempotencyKey, redirectedFor.length > 0 ? policy : undefined);
    const name = whole?.key ?? key ?? uuid();
    /** The command's recipients with this request; a retry adds none. */
    const allowed = () => {
      const ofCommand = recipients + (holders.get(name) ? 0 : units);
      const tooMany = policy.maxRecipients.find(({ value }) => ofCommand > value);
      if (tooMany !== undefined) throw policyError(tooManyFor(tooMany, ofCommand));
      return ofCommand;
    };
    const ofCommand = allowed();
    const { audience } = mail;
    const asks =
      audience &&
      whyApproval(policy, {
        ...audience,
        // Several requests of a command count together.
        recipients: audience.recipients && Math.max(audience.recipients, ofCommand),
      });
    const limits = units === 0 ? [] : policy.maxPerDay;
    const count = limits.length === 0 ? undefined : await dayCount();
    const leaving = mail.body === undefined ? request : { ...request, body: mail.body };
    // Includes the content: another email with the same key is no retry.
    const content = whole || count === undefined ? '' : bodyText(leaving.body ?? '');
    const countable = { key: JSON.stringify([baseUrl, profile, name, content]), units };
    const exceeded = count?.exceeded(countable, limits);
    if (exceeded !== undefined) throw policyError(tooManyToday(exceeded, units));
    return {
      request: leaving,
      idempotencyKey: key,
      mails,
      hold: asks === undefined || departure.isApproved ? asItIs.hold : { refusal: asks },
      verdict: {
        places: [...new Set(policy.shown.map(({ place }) => place))],
        redirectedFor: redirectedFor.slice(0, mostListed),
        unchecked: unchecked ?? null,
        approval: asks?.message ?? null,
      },
      reserve() {
        // Again, because other requests have left since.
        const ofCommand = allowed();
        const reserved = count?.reserve({ ...countable, profile }, limits);
        if (reserved && 'limit' in reserved) throw policyError(tooManyToday(reserved, units));
        recipients = ofCommand;
        holders.set(name, (holders.get(name) ?? 0) + 1);
        if (redirect !== undefined) {
          const note = `Redirected to ${redirect.value} by ${redirect.place} (redirect-to).`;
          redirects(note, isAbsolute(redirect.place));
        }
        return (outcome) => {
          if (outcome !== 'refused' && outcome !== 'unsent') return;
          reserved?.release();
          const others = (holders.get(name) ?? 1) - 1;
          holders.set(name, others);
          if (others === 0) recipients -= units;
        };
      },
    } satisfies ApprovedRequest;
  };
}

/**
 * The idempotency key of a redirected email. It differs from the original key, because the service accepts
 * only one body per key. A key that already has the suffix is unchanged; one without room for it becomes its digest.
 */
function keyOf(key: string | undefined, redirecting: Policy | undefined): string | undefined {
  const [redirect] = redirecting?.redirectTo ?? [];
  if (key === undefined || redirect === undefined) return key;
  const mark = '-redirected';
  if (key.endsWith(mark)) return key;
  const fits = key.length + mark.length <= longestKey;
  return `${fits ? key : sha256(key)}${mark}`;
}

/** The most characters the service accepts. */
const longestKey = 256;
