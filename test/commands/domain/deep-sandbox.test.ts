import { expect, test } from 'vitest';
import { domainCodes } from '../../../src/shared/check/domain-codes.ts';
import { createWorld } from '../../support/run.ts';
import { read } from '../../support/sources.ts';

/** The codes whose domain is not the code below fixtures.example. */
const domains: Readonly<Record<string, string>> = {
  'record-missing': 'example.net',
  delegation: 'delegation.parent.fixtures.example',
  'dmarc-missing': 'dmarc-missing.example',
};

/** Those about mail of an account, which has to have the domain. */
const ofAccount = ['record-wrong', 'record-ttl', 'dmarc-unaligned'];

async function check(domain: string, { added = false } = {}) {
  const world = createWorld();
  if (added) await world.run(`domain add ${domain} --region us-east-1 --sandbox`);
  const selector = added ? '' : '--selector s1 ';
  const outcome = await world.run(`domain check ${domain} --deep ${selector}--sandbox --json`);
  return { ...outcome, document: JSON.parse(outcome.stdout) };
}

/** Codes that another fault brings with it. */
const besides: Readonly<Record<string, readonly string[]>> = {
  'record-missing': ['spf-no-record', 'dkim-missing', 'dmarc-missing', 'dmarc-unaligned'],
  'record-wrong': ['dkim-missing'],
  'record-ttl': ['dkim-missing'],
  'from-missing': ['dkim-missing', 'spf-no-record'],
  'dkim-quotes': ['dkim-unreadable'],
  'dmarc-missing': ['dkim-missing'],
  'dmarc-no-policy': ['dmarc-ignored'],
  'dmarc-unaligned': ['dkim-missing'],
};

test.each(Object.entries(domainCodes))(
  'the sandbox shows %s, and nothing else',
  async (code, [severity]) => {
    const domain = domains[code] ?? `${code}.fixtures.example`;
    const { document } = await check(domain, { added: ofAccount.includes(code) });
    const { findings } = document;
    const found = findings.filter((one: { code: string }) => one.code === code);
    expect(found[0]).toMatchObject({ domain, code, url: `docs/domain-check.md#${code}` });
    // Whose SPF it is decides how bad it is that there is none.
    if (code !== 'spf-no-record') expect(found[0].severity).toBe(severity);
    const others = findings.map((one: { code: string }) => one.code);
    const expected = new Set([
      code,
      ...(besides[code] ?? []),
      ...(code.startsWith('record-') ? ['spf-no-record'] : []),
    ]);
    expect(others.filter((one: string) => !expected.has(one))).toEqual([]);
  },
);

test('a domain without a fault has no findings', async () => {
  const { document, exitCode, stderr } = await check('good.fixtures.example');
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(document).toMatchObject({
    ok: true,
    findings: [],
    summary: { error: 0, warning: 0, info: 0 },
  });
});

test('the page has a part for every code, in the order of the table', () => {
  const headings = [...read('docs/domain-check.md').matchAll(/^### (.+)$/gm)].map(
    ([, title]) => title,
  );
  expect(headings).toEqual(Object.keys(domainCodes));
});

test('verify --wait --deep fails a deploy whose mail would bounce, although the domain is verified', async () => {
  const world = createWorld();
  const good = await world.run('domain verify example.com --wait --deep --sandbox --json');
  expect(good.exitCode).toBe(0);
  expect(JSON.parse(good.stdout)).toMatchObject({
    outcome: 'success',
    deep: { ok: true, summary: { error: 0 } },
  });
  const name = 'spf-passes-all.fixtures.example';
  await world.run(`domain add ${name} --region us-east-1 --sandbox`);
  const bad = await world.run(`domain verify ${name} --wait --deep --sandbox`);
  expect(bad.stdout).toContain('spf-passes-all');
  expect(bad.stderr).toContain('Error: The check found 1 error');
  expect(bad.exitCode).toBe(9);
  const unused = await world.run('domain verify example.com --deep --sandbox');
  expect(unused.stderr).toContain('--deep needs --wait');
});

test('list --check shows the findings of all domains at once', async () => {
  const { run } = createWorld();
  const { stdout, exitCode } = await run(
    'domain list --check --sandbox --fields name,findings.summary',
  );
  expect(exitCode).toBe(0);
  expect(stdout.split('\n')).toEqual([
    'name\tfindings.summary',
    'example.net\t3 errors, 2 warnings, and 1 note',
    'example.org\t1 error, 1 warning, and 1 note',
    'example.com\t4 notes',
    '',
  ]);
  const { stdout: json } = await run('domain list --check --sandbox --json');
  expect(JSON.parse(json)[2]).toMatchObject({
    name: 'example.com',
    findings: { error: 0, warning: 0, info: 4, summary: '4 notes' },
  });
});

test.each(['whoami', 'doctor'])('%s points to it, on a terminal only', async (command) => {
  const { run } = createWorld();
  const hint = 'mailer domain check --all --deep';
  expect((await run(`${command} --sandbox`, { terminal: 100 })).stderr).toContain(hint);
  expect((await run(`${command} --sandbox`)).stderr).not.toContain(hint);
});
