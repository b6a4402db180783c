import fc from 'fast-check';
import { addressParser } from 'postal-mime';
import { describe, expect, test } from 'vitest';
import { connected } from '../../support/connected.ts';
import { createWorld } from '../../support/run.ts';

const world = createWorld();

/** What `policy check` says of one argument, which may hold several addresses. */
async function checked(address: string, env: Record<string, string>) {
  const { exitCode, stdout } = await world.run(['policy', 'check', '--json', '--', address], {
    env,
  });
  const rows: { address: string; allowed: boolean }[] = stdout === '' ? [] : JSON.parse(stdout);
  return { exitCode, rows };
}

const shifted = (text: string, by: number, pattern: RegExp) =>
  text.replace(pattern, (one) => String.fromCodePoint((one.codePointAt(0) ?? 0) + by));
/** Ways to write a domain differently, which some programs read as the same one. */
const disguises: readonly ((domain: string) => string)[] = [
  (domain) => domain,
  // In capitals, these two are those of another domain.
  (domain) => domain.replace(/[^ßς]/g, (one) => one.toUpperCase()),
  (domain) => domain.normalize('NFD'),
  (domain) => shifted(domain, 0xfee0, /[!-~]/g),
  (domain) => shifted(domain, 0x24b6 - 0x61, /[a-z]/g),
  (domain) => domain.replaceAll('.', '\u3002'),
  (domain) => domain.replaceAll('.', '\uff61'),
  (domain) => domain.replaceAll('.', '\u2024'),
  (domain) => `${domain}.`,
  (domain) => `.${domain}`,
  (domain) => ` ${domain} `,
  (domain) => `\t${domain}`,
  (domain) => `${domain}\r\n`,
  (domain) => `"${domain}"`,
  (domain) => `'${domain}'`,
  (domain) => `[${domain}]`,
  (domain) => `${domain}(comment)`,
  (domain) => `(comment)${domain}`,
  (domain) => domain.replace('.', ' . '),
  (domain) => domain.replace('.', '%2e'),
  (domain) => domain.replace(/^./, (one) => `%${one.charCodeAt(0).toString(16)}`),
  (domain) => domain.replace(/^./u, '$&\u00ad'),
  (domain) => domain.replace(/^./u, '$&\ufe0f'),
  (domain) => domain.replace(/^./u, '$&\u200d'),
  (domain) => `${domain}:25`,
  (domain) => `${domain}/`,
  (domain) => new URL(`http://${domain}`).hostname,
  (domain) => new URL(`http://${domain}`).hostname.toUpperCase(),
];
/** Ways to put an address of one domain near text of another. */
const wrappings: readonly ((local: string, domain: string, other: string) => string)[] = [
  (local, domain) => `${local}@${domain}`,
  (local, domain) => `<${local}@${domain}>`,
  (local, domain) => `Ana <${local}@${domain}>`,
  (local, domain, other) => `"${local}@${other}" <${local}@${domain}>`,
  (local, domain, other) => `${local}@${other} <${local}@${domain}>`,
  (local, domain, other) => `<@${other}:${local}@${domain}>`,
  (local, domain, other) => `<@${other},@${other}:${local}@${domain}>`,
  (local, domain, other) => `"${local}@${other}"@${domain}`,
  (local, domain, other) => `${local}%${other}@${domain}`,
  (local, domain, other) => `${other}!${local}@${domain}`,
  (local, domain, other) => `${local}@${domain}(@${other})`,
  (local, domain, other) => `${local}@${domain} (${local}@${other})`,
  (local, domain, other) => `${local}@${other},${local}@${domain}`,
  (local, domain, other) => `group: ${local}@${domain}, ${local}@${other};`,
  (local, domain, other) => `${local}@${domain}\uff0c${other}`,
  (local, domain, other) => `${local}@${domain}\uff20${other}`,
  (local, domain, other) => `${local}\uff20${other}@${domain}`,
  (local, domain, other) => `${local}@${domain}\u0000${other}`,
  (local, domain, other) => `=?utf-8?q?${local}=40${other}?= <${local}@${domain}>`,
];
const label = fc.oneof(
  fc.stringMatching(/^[a-z\d]([a-z\d-]{0,6}[a-z\d])?$/),
  fc.constantFrom('bücher', '例え', 'straße', 'привет', 'ελλάς', 'señor', '한국'),
);
const domain = fc
  .tuple(fc.array(label, { minLength: 1, maxLength: 3 }), fc.constantFrom('example', 'テスト'))
  .map(([labels, last]) => [...labels, last].join('.'))
  // What is no host name to a URL, such as a wrong A-label, is none to compare with.
  .filter((one) => URL.canParse(`http://${one}`));
const local = fc.oneof(fc.stringMatching(/^[a-z\d]{1,8}$/), fc.constantFrom('josé', 'o.k', 'a+b'));
const disguise = fc.constantFrom(...disguises);
const wrapping = fc.constantFrom(...wrappings);

test('no way to write an address gets past a rule that denies its domain', async () => {
  const found = { denied: 0, invalid: 0 };
  await fc.assert(
    fc.asyncProperty(local, domain, disguise, wrapping, async (who, where, hide, wrap) => {
      const address = wrap(who, hide(where), 'other.example');
      const { exitCode, rows } = await checked(address, { MAILER_DENY_TO: `*@${where}` });
      expect(exitCode).toBe(2);
      found[rows.length > 0 ? 'denied' : 'invalid']++;
    }),
    { numRuns: 300 },
  );
  expect(found.denied).toBeGreaterThan(10);
  expect(found.invalid).toBeGreaterThan(10);
});

test('a rule that allows a domain allows only what another parser reads as of that domain', async () => {
  const anything = fc.string({
    unit: fc.constantFrom(...'@.,;:<>()"\'[]\\%=!ok ａ．＠，。\ufe0f\u00ad'),
  });
  const address = fc.oneof(
    // So that many are allowed.
    fc.tuple(local, fc.constantFrom('', 'Ana ')).map(([who, name]) => `${name}<${who}@ok.example>`),
    fc
      .tuple(local, disguise, wrapping, fc.constantFrom('evil.test', 'bücher.test'))
      .map(([who, hide, wrap, evil]) => wrap(who, hide(evil), 'ok.example')),
    fc
      .tuple(local, disguise, wrapping, fc.constantFrom('evil.test', 'bücher.test'))
      .map(([who, hide, wrap, evil]) => wrap(who, hide('ok.example'), evil)),
    fc.tuple(anything, anything).map(([one, other]) => `${one}@${other}ok.example`),
    fc.tuple(anything, anything).map(([one, other]) => `ana@ok.example${one}@${other}`),
  );
  const found = { allowed: 0, others: 0 };
  await fc.assert(
    fc.asyncProperty(address, async (one) => {
      const { rows } = await checked(one, { MAILER_ALLOW_TO: '*@ok.example' });
      for (const row of rows.filter(({ allowed }) => allowed)) {
        const [{ address: read = '' } = {}, ...more] = addressParser(row.address, {
          flatten: true,
        });
        const at = read.lastIndexOf('@');
        expect(
          read
            .slice(at + 1)
            .normalize('NFKC')
            .replaceAll('。', '.')
            .toLowerCase(),
        ).toBe('ok.example');
        expect(more).toEqual([]);
      }
      found[rows.some(({ allowed }) => allowed) ? 'allowed' : 'others']++;
    }),
    { numRuns: 300 },
  );
  expect(found.allowed).toBeGreaterThan(10);
  expect(found.others).toBeGreaterThan(100);
});

describe('where a text that is no domain can stand', () => {
  const email = ['--subject', 'S', '--text', 'T'];
  const book = { body: { id: 'book_1', name: 'B' } };
  const odds = [
    'ana@evil.example，x.ok.example',
    'ana@evil.example”.ok.example',
    '“ana@ok.example',
    'ana@ok.example™',
  ];

  test.each(
    odds.flatMap((odd): [string[], stdin?: string][] => {
      const row = { to: odd, from: 'a@ok.example', subject: 'S', text: 'T' };
      return [
        [['email', 'send', '--to', odd, '--from', 'a@ok.example', ...email]],
        [['email', 'send', '--to', 'a@ok.example', '--from', odd, ...email]],
        ...['--cc', '--bcc', '--reply-to'].map((flag): [string[]] => [
          ['email', 'send', '--to', 'a@ok.example', '--from', 'a@ok.example', flag, odd, ...email],
        ]),
        [['email', 'send', '--file', '-'], JSON.stringify(row)],
        [['email', 'send', '--eml', '-'], `To: ${odd}\nFrom: a@ok.example\nSubject: S\n\nT\n`],
        [['email', 'batch', '-', '--yes'], JSON.stringify([row])],
        [
          ['email', 'batch', '-', '--yes'],
          JSON.stringify([{ ...row, to: row.from, replyTo: odd }]),
        ],
        [['contact', 'import', '-', '--book', 'book_1', '--yes'], JSON.stringify([{ email: odd }])],
        [['contact', 'add', '--book', 'book_1', '--email', odd, '--yes']],
        [['config', 'set', 'from', odd]],
        [['config', 'set', 'reply-to', odd]],
        [['policy', 'set', '--redirect-to', odd]],
        [
          [
            'domain',
            'add',
            odd.slice(odd.indexOf('@') + 1).replace(/^ok/, '“ok'),
            '--region',
            'us-east-1',
          ],
        ],
      ];
    }),
  )('%j is an error, and nothing is sent', async (words, stdin = '') => {
    const { run, service } = await connected(book, book, { body: [] });
    const { exitCode, stderr } = await run(words, { stdin });
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: expect.stringMatching(/is not an email address|is not a domain name/),
    });
    expect(service.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  test.each(
    (['allowTo', 'denyTo', 'allowFrom'] as const).flatMap((rule) =>
      ['*@ok.example;', '“ana@ok.example”', 'ana@ok.example™'].map((one) => [rule, one] as const),
    ),
  )('a rule %s of %s is an error, and nothing is sent', async (rule, pattern) => {
    const name = `MAILER_${rule.replace('T', '_T').replace('F', '_F').toUpperCase()}`;
    const policy = { [rule]: [pattern] };
    const { run, service, world, file } = await connected();
    const line = 'email send --to a@ok.example --from a@ok.example --subject S --text T';
    const wanted = { exitCode: 2, stderr: expect.stringContaining(`"${pattern}" is neither`) };
    expect(await run(line, { env: { [name]: pattern } })).toMatchObject(wanted);
    file('.mailer.json', { policy });
    expect(await run(line)).toMatchObject(wanted);
    file('.mailer.json', {});
    file('.config/mailer/config.json', { profiles: { default: { policy } } });
    expect(await world.run(line)).toMatchObject(wanted);
    expect(service.requests).toEqual([]);
  });
});
