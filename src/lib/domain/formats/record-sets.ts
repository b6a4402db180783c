import type { WantedRecord } from '../dns/wanted-records.ts';

/** All records of one name and type, which Route 53 keeps as one thing. */
export interface RecordSet {
  readonly type: string;
  readonly fqdn: string;
  /** Seconds: the shortest of its records, 300 where none is given. */
  readonly ttl: number;
  readonly records: readonly WantedRecord[];
}

/** What the console of Route 53 suggests. */
const defaultTtl = 300;

export function recordSets(records: readonly WantedRecord[]): RecordSet[] {
  const groups = Map.groupBy(records, ({ type, fqdn }) => `${type} ${fqdn}`);
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const ttls = group.flatMap(({ ttl }) => (ttl === undefined ? [] : [ttl]));
    const ttl = ttls.length === 0 ? defaultTtl : Math.min(...ttls);
    return [{ type: first.type, fqdn: first.fqdn, ttl, records: group }];
  });
}
