import { expect } from 'vitest';
import { connected, failureOf } from '../../support/connected.ts';
import { startDns, type ZoneRecord } from '../../support/dns-server.ts';
import { domainWithRecords } from './dns-domains.ts';

/** Checks `a.example` against these records, and returns the exit code and the JSON. */
export async function check(records: readonly ZoneRecord[], service = domainWithRecords()) {
  const dns = await startDns(records);
  const { world } = await connected({ body: [service] });
  const words = `domain check ${service.id} --resolver ${dns.address} --json`;
  const { exitCode, stdout, stderr } = await world.run(words);
  if (exitCode === 0) expect(stderr).toBe('');
  else expect(failureOf({ stdout, stderr }).code).toBe('wait_failed');
  return { exitCode, document: JSON.parse(stdout), dns };
}

/** The finding for the record of this type and full name. */
export async function finding(records: readonly ZoneRecord[], type: string, fqdn: string) {
  const { exitCode, document } = await check(records);
  const found = document.records.find(
    (one: { type: string; fqdn: string }) => one.type === type && one.fqdn === fqdn,
  );
  return { exitCode, ...found };
}
