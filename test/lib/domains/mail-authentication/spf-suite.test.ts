import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import * as z from 'zod';
import type { Ask } from '../../../../src/lib/domains/mail-authentication/ask.ts';
import { checkHost } from '../../../support/check-host.ts';
import { type Need, needing } from '../../../support/needs.ts';

/**
 * The test suite of RFC 7208 by openspf.org, as a package of Debian installs it
 * (golang-blitiri-go-spf-dev), or the file in `SPF_SUITE`. It is not part of this repository.
 */
const path =
  process.env.SPF_SUITE || '/usr/share/gocode/src/blitiri.com.ar/go/spf/testdata/rfc7208-tests.yml';

const suite: Need = {
  isMet: existsSync(path),
  why: 'the test suite of RFC 7208 is missing (Debian package golang-blitiri-go-spf-dev)',
};

const value = z.union([z.string(), z.array(z.union([z.string(), z.number()]))]);
const entry = z.union([z.literal('TIMEOUT'), z.record(z.string(), z.union([value, z.boolean()]))]);
type Entry = z.infer<typeof entry>;
const scenario = z.looseObject({
  description: z.string(),
  tests: z.record(
    z.string(),
    z.looseObject({
      helo: z.string(),
      host: z.string(),
      mailfrom: z.string(),
      result: z.union([z.string(), z.array(z.string())]),
    }),
  ),
  zonedata: z.record(z.string(), z.array(entry)),
});

/** The values of a type at a name. A record of type SPF stands for one of type TXT, unless there are such. */
function valuesOf(entries: readonly Entry[], type: string): string[] {
  const typed = (wanted: string) =>
    entries.flatMap((one) => (typeof one === 'string' || !(wanted in one) ? [] : [one[wanted]]));
  const own = typed(type);
  const all = type === 'TXT' && own.length === 0 ? typed('SPF') : own;
  return all
    .filter((one) => one !== 'NONE')
    .map((one) => {
      if (!Array.isArray(one)) return String(one);
      return type === 'MX' ? one.join(' ') : one.join('');
    });
}

const times = (one: Entry) => one === 'TIMEOUT' || 'TIMEOUT' in one;

function askOf(zone: Readonly<Record<string, readonly Entry[]>>): Ask {
  const names = new Map(Object.entries(zone).map(([name, all]) => [name.toLowerCase(), all]));
  const look = (name: string, type: string, hops: number): Awaited<ReturnType<Ask>> => {
    const entries = names.get(name.toLowerCase());
    if (entries === undefined) return { kind: 'none', exists: false };
    const values = valuesOf(entries, type);
    if (values.length > 0) return { kind: 'found', values };
    const [alias] = type === 'CNAME' ? [] : valuesOf(entries, 'CNAME');
    if (alias !== undefined && hops < 10) return look(alias, type, hops + 1);
    if (entries.some(times)) return { kind: 'failed', reason: `${name}: no response` };
    return { kind: 'none', exists: true };
  };
  return async (name, type) => look(name, type, 0);
}

describe('the test suite of RFC 7208', needing(suite), () => {
  const documents = suite.isMet ? parseAllDocuments(readFileSync(path, 'utf8')) : [];
  test('is read', () => {
    expect(documents).not.toEqual([]);
  });

  for (const document of Array.isArray(documents) ? documents : []) {
    const { description, tests, zonedata } = scenario.parse(document.toJS());
    describe(description, () => {
      test.each(Object.entries(tests))('%s', async (_, { helo, host, mailfrom, result }) => {
        const given = { ip: host, sender: mailfrom, helo };
        const concluded = await checkHost(given, askOf(zonedata));
        expect([result].flat(), JSON.stringify(concluded)).toContain(concluded.result);
      });
    });
  }
});
