import type { WantedRecord } from '../dns/wanted-records.ts';

/** All records of one name and type, which Route 53 keeps as one unit. */
export interface RecordSet {
  readonly type: string;
  readonly fqdn: string;
  /** In seconds: the shortest of its records, or 300 if none has one. */
  readonly ttl: number;
  readonly records: readonly WantedRecord[];
}

/** The default in the console of Route 53. */
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
