import { describe, expect, test } from 'vitest';
import { spfProblems } from '../../../../src/lib/domains/mail-authentication/spf-problems.ts';
import {
  nodesOf,
  spfTree,
  voidLookups,
} from '../../../../src/lib/domains/mail-authentication/spf-tree.ts';
import { checkHost } from '../../../support/check-host.ts';
import { pick, seeded } from '../../../support/seeded.ts';
import { askZone, type Zone } from '../../../support/zone.ts';

async function treeOf(record: string, more: Zone = []) {
  return await spfTree('example.com', askZone([`TXT example.com ${record}`, ...more]).ask);
}

async function codes(record: string, more: Zone = []) {
  return spfProblems(await treeOf(record, more)).map(({ code, effect }) => `${effect} ${code}`);
}

test('each include shows its cost, with that of all below it', async () => {
  const tree = await treeOf('v=spf1 a include:one.example ip4:192.0.2.1 ~all', [
    'A example.com 192.0.2.1',
    'TXT one.example v=spf1 mx include:two.example -all',
    'MX one.example 10 mail.one.example',
    'TXT two.example v=spf1 exists:%{i}.two.example ptr -all',
  ]);
  expect(tree.lookups).toBe(6);
  expect(tree.terms.map(({ term, lookups }) => [term.text, lookups])).toEqual([
    ['a', 1],
    ['include:one.example', 5],
    ['ip4:192.0.2.1', 0],
    ['~all', 0],
  ]);
  expect(nodesOf(tree).map(({ domain, lookups }) => [domain, lookups])).toEqual([
    ['example.com', 6],
    ['one.example', 4],
    ['two.example', 2],
  ]);
});

test('what comes after all is not asked', async () => {
  const { ask, questions } = askZone([
    'TXT example.com v=spf1 -all include:one.example redirect=two.example',
  ]);
  const tree = await spfTree('example.com', ask);
  expect(tree.lookups).toBe(0);
  expect(questions).toEqual(['TXT example.com']);
  expect(spfProblems(tree).map(({ code, term }) => [code, term])).toEqual([
    ['unreached', 'include:one.example'],
    ['unreached', 'redirect=two.example'],
  ]);
});

describe('problems', () => {
  const includes = (count: number) =>
    Array.from({ length: count }, (_, index) => `TXT i${index}.example v=spf1 ip4:198.51.100.1`);
  const including = (count: number) =>
    `v=spf1 ${includes(count)
      .map((_, index) => `include:i${index}.example`)
      .join(' ')} -all`;

  test.each([
    ['v=spf1 -all', [], []],
    ['v=spf1 -all', ['TXT example.com v=spf1 ~all'], ['permerror several-records']],
    ['v=spf1 ip4:1.2.3 -all', [], ['permerror syntax']],
    [including(10), includes(10), []],
    [including(11), includes(11), ['permerror too-many-lookups']],
    ['v=spf1 a mx -all', [], []],
    ['v=spf1 a mx a:x.example -all', [], ['permerror too-many-void-lookups']],
    ['v=spf1 include:none.example -all', [], ['permerror target-without-record']],
    ['v=spf1 redirect=none.example', [], ['permerror target-without-record']],
    ['v=spf1 include:down.example -all', ['FAIL down.example'], ['temperror lookup-failed']],
    ['v=spf1 a:down.example -all', ['FAIL down.example'], ['temperror lookup-failed']],
    [
      'v=spf1 include:b.example -all',
      ['TXT b.example v=spf1 include:example.com'],
      ['permerror loop'],
    ],
    [
      'v=spf1 mx -all',
      Array.from({ length: 11 }, (_, n) => `MX example.com 10 m${n}.example`),
      ['permerror too-many-servers'],
    ],
    ['v=spf1 +all', [], ['advice passes-all']],
    ['v=spf1 include:b.example -all', ['TXT b.example v=spf1 all'], ['advice passes-all']],
    ['v=spf1 ptr -all', [], ['advice ptr']],
    ['v=spf1 ip4:192.0.2.1', [], ['advice no-all']],
    ['v=spf1 include:%{l}.example.com -all', [], ['advice macro-target']],
    [`v=spf1 ${'ip4:192.0.2.1 '.repeat(35)}-all`, [], ['advice too-long']],
  ])('%s %j', async (record, zone, expected) => {
    expect(await codes(record, zone)).toEqual(expected);
  });

  test('no record', async () => {
    const tree = await spfTree('example.com', askZone([]).ask);
    expect(spfProblems(tree)).toMatchObject([{ code: 'no-record', effect: 'none' }]);
  });

  test('an include with macros of the domain alone is followed', async () => {
    const tree = await treeOf('v=spf1 include:_spf.%{d} -all', ['TXT _spf.example.com v=spf1 mx']);
    expect(tree.lookups).toBe(2);
    expect(voidLookups(tree)).toBe(1);
  });
});

/** A tree is what a server sees that nothing matches, so both must agree about it. */
test('a tree has a permanent error exactly where the evaluation has one', async () => {
  const random = seeded(464);
  const names = ['example.com', 'a.example', 'b.example', 'c.example', 'none.example'] as const;
  const term = () => {
    const name = pick(random, names);
    const good = [
      'a',
      'mx',
      `a:${name}`,
      `mx:${name}`,
      `include:${name}`,
      'include:c.example',
      'exists:c.example',
      'ip6:::1',
    ] as const;
    return random() < 0.02 ? 'ip4:bad' : pick(random, good);
  };
  const record = () => {
    const end = pick(random, [
      '-all',
      '~all',
      '?all',
      '',
      'redirect=b.example',
      'redirect=c.example',
    ]);
    return ['v=spf1', ...Array.from({ length: Math.floor(random() * 6) }, term), end]
      .join(' ')
      .trim();
  };
  const seen = { permerror: 0, other: 0 };
  for (let index = 0; index < 1000; index++) {
    const zone = [
      `TXT example.com ${record()}`,
      `TXT a.example ${record()}`,
      `TXT b.example ${record()}`,
      'TXT c.example v=spf1 mx -all',
      ...['example.com', 'a.example', 'b.example'].map((name) => `A ${name} 192.0.2.9`),
      ...['example.com', 'a.example', 'c.example'].map((name) => `MX ${name} 10 a.example`),
    ].filter((line) => index % 2 === 0 || !line.startsWith('MX c.'));
    const { ask } = askZone(zone);
    const subject = { ip: '203.0.113.7', sender: 'a@example.com', helo: 'h.example' };
    const { result } = await checkHost(subject, ask);
    const problems = spfProblems(await spfTree('example.com', ask));
    const isError = problems.some(({ effect }) => effect === 'permerror');
    seen[isError ? 'permerror' : 'other'] += 1;
    expect(isError, zone.join('\n')).toBe(result === 'permerror');
  }
  expect(seen.permerror).toBeGreaterThan(50);
  expect(seen.other).toBeGreaterThan(50);
});

test('a tree without end is asked for a limited number of domains', async () => {
  const wide = (name: string) =>
    `v=spf1 ${Array.from({ length: 12 }, (_, index) => `include:${index}${name}`).join(' ')} -all`;
  const questions: string[] = [];
  const tree = await spfTree('example.com', async (name) => {
    questions.push(name);
    return { kind: 'found', values: [wide(`.${name}`)] };
  });
  expect(questions).toHaveLength(40);
  expect(spfProblems(tree).map(({ code }) => code)).toContain('too-many-lookups');
});
