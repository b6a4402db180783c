import { expect, test } from 'vitest';
import { startDns, type ZoneRecord } from '../../support/dns-server.ts';
import { createWorld } from '../../support/run.ts';
import { read } from '../../support/sources.ts';
import { goodKey } from './deep-domains.ts';

const zone = read('test/commands/domain/well-known.zone')
  .split('\n')
  .flatMap((line): ZoneRecord[] => {
    const [, type, name = '', value = ''] = /^([A-Z]+) (\S+) (.*)$/.exec(line) ?? [];
    if (type === undefined) return [];
    const text = value.replace('KEY', goodKey);
    // The pattern allows only types of records.
    return [[name, type as ZoneRecord[1], type === 'TXT' ? (text.match(/.{1,255}/g) ?? []) : text]];
  });

/** The domain, a selector of it, the look-ups of SPF, the policy, and the codes of what an expert would say. */
test.each<[string, string, number, string, string[]]>([
  ['google.com', '20230601', 4, 'reject', []],
  // pct=100 has no effect any more, and never had one.
  ['github.com', 'pf2023', 8, 'quarantine', ['dmarc-removed']],
  ['amazon.com', '3iebltq5a3nvyy6yzlvcmq4m3r5vz6kj', 3, 'quarantine', ['dmarc-removed']],
  ['yahoo.com', 's2048', 3, 'reject', ['spf-ptr', 'spf-ptr', 'dmarc-removed']],
  ['facebook.com', 's1024-2013-q3', 2, 'reject', ['dmarc-removed']],
])('%s gets the verdict of an expert', async (domain, selector, lookups, policy, expected) => {
  const { address } = await startDns(zone, { recursive: true });
  const { run } = createWorld();
  const { exitCode, stdout } = await run(
    `domain check ${domain} --deep --selector ${selector} --resolver ${address} --json`,
  );
  const { domains, findings } = JSON.parse(stdout);
  const [report] = domains;
  expect({
    exitCode,
    codes: findings.map(({ code }: { code: string }) => code),
    lookups: report.spf[0].lookups,
    voidLookups: report.spf[0].voidLookups,
    policy: report.dmarc.policy,
    at: report.dmarc.domain,
    usable: [report.spf[0].usable, report.dkim[0].usable],
    failures: report.failures,
  }).toEqual({
    exitCode: 0,
    codes: expected,
    lookups,
    voidLookups: 0,
    policy,
    at: domain,
    usable: [true, true],
    failures: [],
  });
  const notMet = report.receivers.filter(({ state }: { state: string }) => state === 'not met');
  expect(notMet).toEqual([]);
});
