import type { WantedRecord } from '../dns/wanted-records.ts';

export type RecordSet = ReturnType<typeof recordSets>[number];

/** The default in the console of Route 53. */
const defaultTtl = 300;

/** The records of each name and type, which Route 53 keeps as one unit. */
export function recordSets(records: readonly WantedRecord[]) {
  const groups = Map.groupBy(records, ({ type, fqdn }) => `${type} ${fqdn}`);
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const ttls = group.flatMap(({ ttl }) => (ttl === undefined ? [] : [ttl]));
    /** In seconds: the shortest of its records, or 300 if none has one. */
    const ttl = ttls.length === 0 ? defaultTtl : Math.min(...ttls);
    return [{ type: first.type, fqdn: first.fqdn, ttl, records: group }];
  });
}
