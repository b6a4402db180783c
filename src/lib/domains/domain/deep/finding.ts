import { type DomainCode, domainCodes } from '../../../../shared/check/domain-codes.ts';
import type { Severity } from '../../../../shared/check/severity.ts';
import type { WantedRecord } from '../dns/wanted-records.ts';
import type { Asker } from './asker.ts';
import type { DomainFinding, Evidence, RecordToPublish } from './deep-shapes.ts';
import type { DomainMail } from './domain-mail.ts';

/** Reports a finding. */
export type Tell = (
  code: DomainCode,
  message: string,
  more?: {
    readonly evidence?: readonly Evidence[];
    readonly publish?: readonly WantedRecord[];
    /** If it is not that of the code. */
    readonly severity?: Severity;
  },
) => void;

/** The check of one domain: what is known about it, what asks DNS, and what takes findings. */
export interface DomainCheck {
  readonly mail: DomainMail;
  readonly asker: Asker;
  readonly tell: Tell;
}

/** Collects the findings about one domain, the worst first. */
export function createFindings(domain: string): { readonly tell: Tell; all(): DomainFinding[] } {
  const found: DomainFinding[] = [];
  const tell: Tell = (code, message, { evidence = [], publish = [], severity } = {}) => {
    // Two ways may lead to the same record.
    if (found.some((one) => one.code === code && one.message === message)) return;
    found.push({
      ...{ domain, code, message, evidence },
      severity: severity ?? domainCodes[code][0],
      publish: publish.map(({ type, fqdn, value, priority = null, ttl = null }) => {
        return { type, fqdn, value, priority, ttl };
      }),
      url: `docs/domain-check.md#${code}`,
    });
  };
  // Look-ups end in any order, so the table decides.
  const rank = ({ severity, code }: DomainFinding) =>
    order.indexOf(severity) * 1000 + codesInOrder.indexOf(code);
  const compare = (one: DomainFinding, other: DomainFinding) =>
    rank(one) - rank(other) || (one.message < other.message ? -1 : 1);
  return { tell, all: () => found.toSorted(compare) };
}

const order: readonly Severity[] = ['error', 'warning', 'info'];
const codesInOrder: readonly string[] = Object.keys(domainCodes);

/** A TXT record to publish. */
export function txt(fqdn: string, value: string): WantedRecord {
  return { type: 'TXT', name: fqdn, fqdn, value, ...unset, required: true };
}

const unset = { priority: undefined, ttl: undefined };

/** A record of a finding in the form that `domain records` writes. */
export function toWanted({ priority, ttl, ...record }: RecordToPublish): WantedRecord {
  return {
    ...record,
    name: record.fqdn,
    priority: priority ?? undefined,
    ttl: ttl ?? undefined,
    required: true,
  };
}
