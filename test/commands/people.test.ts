import { describe, expect, test } from 'vitest';
import * as lists from '../../src/lib/people/consent/words.ts';
import { errorOf, fileIn } from '../support/connected.ts';
import { createWorld, type World } from '../support/run.ts';

/** The commands that read files of people, each as it would mail or store them. */
const doors = {
  'contact import': 'contact import people.csv --book People --yes',
  'contact sync': 'contact sync people.csv --book People --yes',
  'email batch':
    'email batch people.csv --from hello@example.com --subject s --text t --yes --skip-invalid',
  'email batch --preview':
    'email batch people.csv --from hello@example.com --subject s --text t --preview 20',
} as const;

async function withBook(): Promise<World> {
  const world = createWorld();
  await world.run('contact book create --name People --double-opt-in off --sandbox');
  return world;
}

async function at(door: keyof typeof doors, content: string, ...flags: readonly string[]) {
  return await atIn(await withBook(), door, content, ...flags);
}

async function atIn(
  world: World,
  door: keyof typeof doors,
  content: string,
  ...flags: readonly string[]
) {
  fileIn(world, 'people.csv', content);
  const line = [...doors[door].split(' '), '--sandbox', ...flags];
  return { ...(await world.run(line)), world };
}

/** A file with one more column than the address. */
function file(name: string, cells: readonly string[]): string {
  const rows = cells.map((cell, index) => `p${index}@example.org,"${cell}"`);
  return [`Email,"${name}"`, ...rows, ''].join('\n');
}

/** Columns by the list of words that decides, in each of its languages. */
const stops: Readonly<
  Partial<Record<keyof typeof lists, readonly (readonly [string, ...string[]])[]>>
> = {
  gone: [
    ['deleted_at', '', '2026-01-02 09:00:00'],
    ['discarded_at', '2026-01-02', ''],
    ['is_deleted', '0', '1'],
    ['archived_at', '', '2026-01-02'],
    ['Account closed on', '', '02.01.2026'],
    ['On Hold', 'On Hold Opt Out', ''],
    ['On hold', 'No', 'On Hold Bounce'],
    ['Left list', 'yes', ''],
    ['No Longer With Company', 'FALSE', 'TRUE'],
    ['Banned', 'by an admin', ''],
    ['complaint', '0', '1'],
    ['Email disabled', '0', '1'],
    ['Hard bounce reason', '', 'UNKNOWN_USER'],
    ['Deceased', 'in 2024', ''],
    ['Verstorben am', '', '01.02.2024'],
    ['Gelöscht', 'ja', 'nein'],
    ['Fallecido', 'sí', ''],
    ['Supprimé le', '2026-01-02', ''],
    ['Falecido', 'sim', ''],
    ['Deceduto', 'sì', ''],
    ['Overleden', 'ja', ''],
    ['Raderad', 'ja', 'nej'],
  ],
  perhapsGone: [
    ['Cancelled at', '', '2026-01-02'],
    ['Churned', 'yes', ''],
    ['Left the company', '2024', ''],
    ['Not confirmed', 'x', ''],
    ['Gekündigt zum', '', '31.12.2025'],
    ['Fecha de cancelación', '', '2026-01-02'],
    ['Résilié le', '', '2026-01-02'],
    ['Cancellato il', '2026-01-02', ''],
    ['Opgezegd op', '2026-01-02', ''],
  ],
  detail: [
    ['Unsubscribe reason', 'too many emails', ''],
    ['UNSUB_CAMPAIGN_TITLE', '', 'Spring sale'],
    ['Bounce reason', '', 'mailbox full'],
  ],
  received: [
    ['Receiving emails for', 'News, Offers', ''],
    ['Email subscriptions', '', 'Weekly'],
  ],
  perhapsInverted: [
    ['Blocked', 'yes', ''],
    ['Widerspruch', 'ja', ''],
  ],
  perhapsPositive: [
    ['GDPR', 'yes', 'no'],
    ['Samtycke', 'ja', 'nej'],
    ['Toestemming', 'ja', 'nee'],
  ],
  certainly: [['gdpr_consent', 'Given', 'Open']],
  others: [['Opt-in partenaires', 'oui', 'non']],
  negation: [
    ['Kein Newsletter', 'ja', ''],
    ['Marketing consent withdrawn', 'no', 'yes'],
    ['Revoked opt-in', 'no', 'yes'],
    ['Opt-in widerrufen', 'nein', 'ja'],
    ['Accepts Marketing Revoked', 'no', 'yes'],
    ['Subscribed before', 'yes', 'no'],
    ['Marketing consent xyzzy', 'no', 'yes'],
  ],
  emailItself: [
    ['Consent to email and SMS', 'yes', 'no'],
    ['Happy to be contacted by phone or email', 'yes', 'no'],
    ['Mogen wij u mailen?', 'Ja hoor', 'Liever niet'],
    ['Vuoi restare aggiornato?', 'Certo', 'No grazie'],
    ['Podemos entrar em contato?', 'Pode', 'Prefiro que não'],
    ['News by email, not phone', 'yes', 'no'],
  ],
  denials: [['Tags', 'vip', 'vip, unsubscribed']],
  arrivals: [
    ['Kickbox Result', 'deliverable', 'undeliverable'],
    ['Verification status', 'undeliverable', 'unknown'],
    ['Anything', 'delivered', 'spamreport'],
  ],
  reasons: [
    ['Reason', 'BOUNCE', 'COMPLAINT'],
    ['Motivo de remoción', 'Hard Bounced', 'Por Suscriptor'],
  ],
  arrivalNames: [
    ['Email Verification', 'valid', 'invalid'],
    ['Email Verification', 'valid', 'risky'],
    ['Result', 'valid', 'invalid', 'spamtrap'],
    ['Email quality', 'good', 'bad'],
    ['event', 'delivered', 'dropped', 'spamreport', 'bounce'],
  ],
  otherStatuses: [
    ['status', 'C', 'U', 'S', 'B'],
    ['is_active', 'true', 'false'],
    ['Account active', 'yes', 'no'],
    ['Status', 'subscribed', ''],
    ['Status', '1', '2', '3'],
    ['Status', '5.1.1'],
    ['Subscription status', 'A', 'B'],
    ['Member status', 'lapsed', 'current'],
    ['Mitgliedsstatus', 'K', 'M'],
    ['Status', 'pending', 'confirmed'],
    ['Status', 'cancelled'],
    ['activated', '1700000000', '0'],
    ['Estado', 'Suscripto', 'Anulado'],
    ['ステータス', '購読中', '配信停止'],
    ['Статус', 'активен', 'отписан'],
    ['상태', '구독', '수신거부'],
    ['Állapot', 'feliratkozott', 'leiratkozott'],
    ['Estado', 'Suscripto', 'Bloqueado'],
    ['Estado', 'Activo', 'Removido'],
    ['Stato', 'Attivo', 'Annullato'],
    ['Statut', 'actif', 'supprimé'],
    ['Status', 'actief', 'verwijderd'],
  ],
};

const all = Object.entries(stops).flatMap(([list, some]) =>
  some.map(([name, ...cells]) => ({ list, name, cells })),
);

describe.each(Object.keys(doors) as (keyof typeof doors)[])('%s', (door) => {
  // One for all: nothing is stored in it.
  let stopped: Promise<World> | undefined;

  test.each(all)(
    'stops for "$name" with $cells, and goes on with each line of the hint',
    async ({ name, cells }) => {
      stopped ??= withBook();
      const outcome = await atIn(await stopped, door, file(name, cells), '--json');
      expect(outcome.exitCode).toBe(2);
      const { message, hint = '' } = errorOf(outcome);
      expect(message).toContain(`the column "${name}" may say `);
      for (const cell of cells)
        if (cell !== '' && cell !== '0') expect(message).toContain(`"${cell}" (1)`);
      expect(hint).toMatch(/^Nothing was sent\./);
      const books = await outcome.world.run('contact list --book People --sandbox --json');
      expect(JSON.parse(books.stdout)).toEqual([]);
      const lines = hint.split('\n').filter((line) => line.includes('--'));
      expect(lines.length).toBeGreaterThan(0);
      for (const line of lines) {
        const flags = line.slice(line.indexOf('--')).match(/'[^']*'|\S+/g) ?? [];
        const words = flags.map((word) => word.replace(/^'|'$/g, ''));
        const isMapped = words.includes('--map') && door.startsWith('email batch');
        const outcome = await at(
          door,
          file(name, cells),
          ...words,
          ...(isMapped ? ['--skip-opted-out'] : []),
        );
        // Where nobody is left, that is the next error, and not the same one again.
        expect(outcome.stderr).not.toContain('may say ');
        const isNobody = /\d of \d rows? (is|are) for/.test(outcome.stderr);
        if (!isNobody) expect({ line, ...outcome }).toMatchObject({ exitCode: 0 });
      }
    },
  );
});

/** Columns that decide, by the list of words that says so: the first cell says yes, the second no. */
const decides: Readonly<
  Partial<Record<keyof typeof lists, readonly (readonly [string, string, string])[]>>
> = {
  positive: [
    ['Accepts Email Marketing', 'yes', 'no'],
    ['Acepta marketing', 'sí', 'no'],
    ['Abonné', 'oui', 'non'],
    ['Aceita marketing', 'sim', 'não'],
    ['Iscritto', 'sì', 'no'],
    ['Ingeschreven', 'ja', 'nee'],
  ],
  inverted: [
    ['Opted out', '', 'x'],
    ['Abgemeldet am', '', '01.03.2024'],
    ['Dado de baja', 'no', 'sí'],
    ['Désinscrit', 'non', 'oui'],
  ],
  values: [
    ['Status', 'subscribed', 'unsubscribed'],
    ['Status', 'active', 'unreachable'],
    ['Estado', 'Suscripto', 'Desuscripto'],
    ['Estado', 'Activo', 'Desuscripto'],
  ],
  polite: [['Newsletter', 'Yes, please', 'No, thanks']],
};

const deciding = Object.values(decides).flat();

test.each(deciding)('"%s" decides at each door: %s is yes, %s is no', async (name, yes, no) => {
  const people = file(name, [yes, no]);
  for (const door of ['contact import', 'contact sync'] as const) {
    const { world } = await at(door, people);
    const list = 'contact list --book People --fields email,subscribed --no-header --sandbox';
    expect((await world.run(list)).stdout).toMatch(/p0@example\.org\ttrue/);
    expect((await world.run(list)).stdout).toMatch(/p1@example\.org\tfalse/);
  }
  expect(await at('email batch', people)).toMatchObject({ exitCode: 2 });
  const sent = await at('email batch', people, '--skip-opted-out', '--json');
  expect(JSON.parse(sent.stdout).data).toMatchObject([
    { to: 'p0@example.org' },
    { error: { code: 'opted_out' } },
  ]);
});

/** Columns that say nothing about email, and stop nothing. */
const data = [
  ['deleted_at', '', ''],
  ['is_deleted', '0', '0'],
  ['Banned until', '', ''],
  ['Status', 'active', 'active'],
  ['Status', 'shipped', 'pending', 'cancelled'],
  ['Order status', 'C', 'U'],
  ['Payment Status', 'pending', 'paid'],
  ['Marital status', 'S', 'M'],
  ['Estado', 'SP', 'RJ'],
  ['Estado', 'Anulado', 'Enviado'],
  ['Estado del pedido', 'Cancelado', 'Eliminado'],
  ['Stato', 'cancellato', 'spedito'],
  ['State', 'ON', 'OR'],
  ['Type', 'A', 'B'],
  ['E-mail Type', 'SMTP', 'SMTP'],
  ['Emails dropped (6mo)', '0', '2'],
  ['Banned', 'no', 'no'],
  ['Deceased', 'false', 'false'],
  ['photo consent', 'no', 'yes'],
  ['Accepts SMS Marketing', 'no', 'yes'],
  ['Cookies accepted', 'no', 'yes'],
  ['City', 'Berlin', 'Bern'],
  ['Coupon', 'valid', 'invalid'],
  ['Passport', 'valid', 'expired'],
  ['Email Status', 'valid', 'valid'],
  ['ZB Status', 'valid', 'valid'],
  ['Exam result', 'good', 'passed'],
  ['Email Verification', 'valid', 'catch-all'],
  ['Credit', 'good', 'bad'],
  ['Event', 'Spring fair', 'Open day'],
  ['event', 'open', 'click'],
  ['Opt-in IP', '192.0.2.1', ''],
  ['activated', '1700000000', '1700000001'],
  ['Deal closed on', '2026-01-02', ''],
  ['unsubscribe', 'https://example.com/u/1', ''],
] as const;

test('each list of words decides in one of these', () => {
  // Named above by what they are about: channels, orders, data; and names of files, in their own test.
  const byData = [
    'otherChannel',
    'otherThing',
    'otherSubject',
    'plainData',
    'furtherAnswers',
    'statusesOfBoth',
    'filler',
    'suppressedFiles',
    'refusalsInText',
    'refusalsAlone',
  ];
  const known = [...Object.keys(stops), ...Object.keys(decides), ...byData];
  expect(Object.keys(lists).filter((name) => !known.includes(name))).toEqual([]);
});

test.each(data)('nothing stops for "%s"', async (name, ...some) => {
  const cells = some.filter((cell) => cell !== undefined);
  for (const door of Object.keys(doors) as (keyof typeof doors)[]) {
    const { exitCode, stderr } = await at(door, file(name, cells));
    expect({ door, exitCode, stderr }).toMatchObject({ exitCode: 0 });
  }
});

describe('a column that nobody foresaw', () => {
  const rows = 12;
  const cellsOf = (...some: readonly string[]) =>
    Array.from({ length: rows }, (_, index) => some[index % some.length] ?? '');
  const shown = [
    ['yes in some rows', 'Sparepost', ['', '', 'x'], '"x" (4), in 4 of 12 rows'],
    ['Hungarian', 'Kér e levelet', ['igen', 'nem'], '"igen" (6), "nem" (6), in 12 of 12 rows'],
    ['Japanese', '配信', ['はい', 'いいえ'], '"はい" (6), "いいえ" (6), in 12 of 12 rows'],
    ['Russian', 'Рассылка', ['да', 'нет'], '"да" (6), "нет" (6), in 12 of 12 rows'],
    [
      'a name with more than data',
      'Order ban',
      ['yes', 'no'],
      '"yes" (6), "no" (6), in 12 of 12 rows',
    ],
    ['the same of a company', 'Retired from company', ['', 'yes'], '"yes" (6), in 6 of 12 rows'],
    ['the same of an address', 'Bad address', ['x', ''], '"x" (6), in 6 of 12 rows'],
    [
      'another channel alone',
      'Phone contact only',
      ['yes', 'no'],
      '"yes" (6), "no" (6), in 12 of 12 rows',
    ],
    [
      'a note under the name of data',
      'Company',
      ['Acme', 'Bolt', 'NO LONGER THERE'],
      'notes such as "NO LONGER THERE" (4), in 12 of 12 rows',
    ],
    [
      'what a mail server said to all',
      'error',
      ['550 5.1.1 no mailbox here by that name'],
      'notes such as "550 5.1.1 no mailbox here by that name" (12), in 12 of 12 rows',
    ],
    [
      'invalid emails of SendGrid',
      'reason',
      ['Known bad domain', 'Mail domain mentioned in email address is unknown'],
      'notes such as "Known bad domain" (6), "Mail domain mentioned in email address i… and 9 more characters" (6), in 12 of 12 rows',
    ],
    [
      'a whole value that says no',
      'Segment',
      ['vip', 'regular', 'Blacklist'],
      'notes such as "Blacklist" (4), in 12 of 12 rows',
    ],
    [
      'a reply that says no',
      'Last reply',
      ['Thanks', 'See you', 'STOP!'],
      'notes such as "STOP!" (4), in 12 of 12 rows',
    ],
    [
      'a way that is no email',
      'Wie sollen wir Sie erreichen?',
      ['E-Mail', 'Nur per Post'],
      'notes such as "Nur per Post" (6), in 12 of 12 rows',
    ],
    ['a mark that says no', 'Mark', ['', '🚫'], '"🚫" (6), in 6 of 12 rows'],
    [
      'a note in place of a number',
      'Phone',
      ['030 1', '030 2', 'no longer works here'],
      'notes such as "no longer works here" (4), in 12 of 12 rows',
    ],
    ['codes', 'Flag', ['C', 'C', 'U'], '"C" (8), "U" (4), in 12 of 12 rows'],
    ['dates in some rows', 'email_verified_at', ['2026-01-02', ''], 'dates, in 6 of 12 rows'],
    [
      'notes in some rows',
      'Remarks',
      ['', '', 'please call me on Monday'],
      'notes, in 4 of 12 rows',
    ],
    [
      'notes that seem to say no',
      'Remarks',
      [
        'met at the fair',
        'likes tea',
        'Please do not mail me any more',
        'calls',
        'tall',
        'Died in May',
      ],
      'notes such as "Please do not mail me any more" (2), "Died in May" (2), in 12 of 12 rows',
    ],
  ] as const;

  test.each(shown)('is shown with its counts: %s', async (_, name, cells, text) => {
    for (const door of Object.keys(doors) as (keyof typeof doors)[]) {
      const { exitCode, stderr } = await at(door, file(name, cellsOf(...cells)));
      expect({ door, exitCode, stderr }).toMatchObject({ exitCode: 0 });
      expect(stderr).toContain(`\n  "${name}": ${text}\n`);
    }
  });

  test('is shown for each phrase in a text that says no', async () => {
    const phrases = `${lists.refusalsInText},${lists.denials.replace('†,', '')}`.split(',');
    const texts = phrases.map((phrase) => `Tel. 030 12, ${phrase.trim()} (2024)`);
    for (const text of texts) {
      const { stderr } = await at('contact import', file('Remarks', cellsOf(text, 'a', 'b', 'c')));
      expect(stderr).toContain(`notes such as "${text.slice(0, 20)}`);
    }
  });

  test.each([
    ['cities', 'Wohnort', ['Berlin', 'Bern', 'Wien']],
    ['plans', 'Tarif', ['gold', 'silver', '']],
    ['a country', 'Country', ['D', 'A', 'C']],
    [
      'many numbers',
      'Punkte',
      ['10', '22', '31', '47', '58', '62', '79', '83', '94', '12', '13', '14'],
    ],
    ['dates of everybody', 'Konto', ['2026-01-02']],
    ['birthdays', 'Birthday', ['1990-01-02', '']],
    ['customers', 'VIP customer', ['yes', 'no']],
    ['words of no', 'Film', ['Dead Poets Society', 'The Blacklist, season 1', 'Stop Making Sense']],
    ['orders', 'Has orders', ['yes', 'no']],
    ['countries of orders', 'Ship to country', ['DE', 'AT', 'NO']],
    ['text messages', 'SMS status', ['unsubscribed', 'subscribed']],
    ['addresses', 'Address of the list', ['unsubscribe@example.org', 'a@example.org']],
    ['links', 'Page', ['https://example.org/unsubscribe', 'https://example.org/']],
    ['nothing', 'Widget', ['']],
    ['notes of everybody', 'Bio', ['Works at a bank', 'Stopped smoking in May', 'Not from here']],
  ])('is not shown if it is plain data: %s', async (_, name, cells) => {
    const { stderr } = await at('contact import', file(name, cellsOf(...cells)));
    expect(stderr).not.toContain('not used to decide who wants email');
  });

  test('is not shown if a template or a campaign uses it', async () => {
    const people = file('flag', cellsOf('C', 'C', 'U'));
    const used = await at('email batch', people, '--html', '{{ flag }}');
    expect(used.stderr).not.toContain('not used to decide who wants email');
    const world = createWorld();
    fileIn(world, 'people.csv', people);
    await world.run(
      'contact book create --name People --double-opt-in off --variable flag --sandbox',
    );
    const { exitCode, stderr } = await world.run(`${doors['contact import']} --sandbox`);
    expect({ exitCode, shown: stderr.includes('not used to decide who wants email') }).toEqual({
      exitCode: 0,
      shown: false,
    });
  });

  test('is one of six at most', async () => {
    const names = Array.from({ length: 9 }, (_, index) => `flag${index}`);
    const lines = cellsOf('C', 'C', 'U').map(
      (cell, index) => `p${index}@example.org,${names.map(() => cell).join()}`,
    );
    const people = [`Email,${names.join()}`, ...lines, ''].join('\n');
    const { stderr } = await at('contact import', people);
    expect(stderr.match(/^ {2}"flag/gm)).toHaveLength(6);
  });
});

describe('--map with values', () => {
  const people = file('Status', ['C', 'U', 'active', 'B', '']);

  test('takes these as yes and the others as no', async () => {
    const flags = ['--map', 'subscribed=Status:C,Active'];
    const { world, stderr } = await at('contact import', people, ...flags);
    const { stdout } = await world.run(
      'contact list --book People --fields email,subscribed --no-header --sandbox',
    );
    expect(
      Object.fromEntries(
        stdout
          .trim()
          .split('\n')
          .map((line) => line.split('\t')),
      ),
    ).toEqual({
      'p0@example.org': 'true',
      'p1@example.org': 'false',
      'p2@example.org': 'true',
      'p3@example.org': 'false',
    });
    expect(stderr).toContain('"Status" says who wants email: 2 yes, 2 no, 1 without an answer.\n');
    const batch = await at('email batch', people, ...flags, '--skip-opted-out', '--json');
    expect(
      JSON.parse(batch.stdout).data.filter((row: { emailId?: string }) => row.emailId),
    ).toHaveLength(2);
  });

  test('takes these as no', async () => {
    const flags = ['--map', 'unsubscribed=Status:U,B', '--skip-opted-out', '--json'];
    const { stdout } = await at('email batch', people, ...flags);
    expect(JSON.parse(stdout).data.filter((row: { emailId?: string }) => row.emailId)).toHaveLength(
      3,
    );
  });

  test('takes any value with *', async () => {
    const flags = ['--map', 'unsubscribed=Reason:*', '--skip-opted-out', '--json'];
    const reasons = file('Reason', ['too many', '', 'moved', 'no']);
    const { stdout } = await at('email batch', reasons, ...flags);
    expect(JSON.parse(stdout).data.filter((row: { emailId?: string }) => row.emailId)).toHaveLength(
      2,
    );
  });

  test('belongs to the column whose name has a colon, if there is one', async () => {
    const name = 'Opted out of email: Marketing';
    const { exitCode, stderr } = await at(
      'contact import',
      file(name, ['yes', 'no']),
      ...['--map', `unsubscribed=${name}`],
    );
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
    expect(stderr).toContain(`"${name}" says who does not want email: 1 of 2.`);
  });

  test.each([
    ['subscribed=Status:activ', 'has no value "activ"', 'Do you mean "active"?'],
    ['subscribed=Status:X,Y', 'has no value "X"', 'It has: "C", "U", "active", "B"'],
  ])('%s names a value that no row has', async (map, message, hint) => {
    const outcome = await at('contact import', people, '--map', map, '--json');
    expect(outcome.exitCode).toBe(2);
    expect(errorOf(outcome).message).toContain(message);
    expect(errorOf(outcome).hint).toContain(hint);
  });
});

describe('--only-columns', () => {
  const people =
    'Email,Name,deleted_at,Plan\nana@example.org,Ana,2026-01-02,pro\nben@example.org,Ben,,basic\n';

  test('uses these columns and no other', async () => {
    const flags = ['--only-columns', 'Email, Name'];
    const { world, exitCode } = await at('contact import', people, ...flags);
    expect(exitCode).toBe(0);
    const { stdout } = await world.run('contact list --book People --sandbox --json');
    const properties = JSON.parse(stdout).map((one: { properties: object }) => one.properties);
    expect(properties).toEqual(expect.arrayContaining([{ Name: 'Ana' }, { Name: 'Ben' }]));
    const batch = await at('email batch', people, ...flags);
    expect(batch.exitCode).toBe(0);
    const unknown = await at('email batch', people, ...flags, '--html', '{{ Plan }}');
    expect(unknown.exitCode).toBe(2);
  });

  test('holds for rows of JSON, too', async () => {
    const rows = '{"email":"ana@example.org","Name":"Ana","deleted_at":"2026-01-02"}\n';
    expect(await at('contact import', rows)).toMatchObject({ exitCode: 2 });
    expect(await at('contact import', rows, '--only-columns', 'email,Name')).toMatchObject({
      exitCode: 0,
    });
  });

  test('names a column that the file does not have', async () => {
    const outcome = await at('contact import', people, '--only-columns', 'Email,Nmae', '--json');
    expect(outcome.exitCode).toBe(2);
    expect(errorOf(outcome)).toMatchObject({
      message: '--only-columns: people.csv has no column "Nmae"',
      hint: 'Do you mean "Name"?',
    });
  });
});

test('a column that decided who wants email is not stored, whatever it is called, and changes nothing later', async () => {
  for (const [name, yes, no] of [
    ['Newsletter', 'yes', 'no'],
    ['Status', 'subscribed', 'unsubscribed'],
  ] as const) {
    const { world } = await at('contact import', file(name, [yes, no, yes]));
    const list = 'contact list --book People --sandbox --json';
    const before = JSON.parse((await world.run(list)).stdout);
    expect(before.map((one: { properties: object }) => one.properties)).toEqual([{}, {}, {}]);
    await world.run('contact update p1@example.org --book People --subscribed yes --sandbox --yes');
    await world.run('contact export --book People --output people.csv --force --sandbox');
    const again = await world.run(`${doors['contact import']} --sandbox --json`);
    expect(JSON.parse(again.stdout)).toMatchObject({ new: 0, changed: 0 });
    const renamed = await at('contact import', file(name, [yes, no]), '--map', `news=${name}`);
    const stored = JSON.parse((await renamed.world.run(list)).stdout);
    expect(stored.map((one: { properties: object }) => one.properties)).toContainEqual({
      news: no,
    });
  }
});

describe('people who are not in their own row alone', () => {
  test('get no copy of an email that their own row refuses', async () => {
    const people = 'to,cc,unsubscribed\nana@example.org,ben@example.org,\nben@example.org,,yes\n';
    const outcome = await at('email batch', people, '--skip-opted-out');
    expect(outcome).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('row 1: ben@example.org does not want email, by row 2'),
    });
  });

  test.each([
    ['properties', '{"email":"a@example.org","properties":{"unsubscribed":true}}'],
    ['variables', '{"email":"a@example.org","variables":{"user":{"deleted_at":"2026-01-02"}}}'],
  ])('are found in objects of JSON: %s', async (name, row) => {
    for (const door of ['contact import', 'contact sync', 'email batch'] as const) {
      const outcome = await at(door, `${row}\n`, '--json');
      expect({ door, exitCode: outcome.exitCode }).toEqual({ door, exitCode: 2 });
      if (door !== 'email batch') expect(errorOf(outcome).message).toContain(`"${name}"`);
    }
    const gone = row.replace('true', 'false').replace('"2026-01-02"', 'null');
    if (name === 'properties') {
      expect(await at('contact import', `${gone}\n`)).toMatchObject({ exitCode: 0 });
    }
  });
});

test('a flag for one column settles no other that says no', async () => {
  const people =
    'Email,On Hold,Deceased,Opted in\nana@example.org,,,yes\nben@example.org,x,,yes\ncy@example.org,,yes,yes\n';
  for (const map of ['unsubscribed=On Hold:*', 'subscribed=Opted in']) {
    const outcome = await at('contact import', people, '--map', map, '--json');
    expect(outcome.exitCode).toBe(2);
    expect(errorOf(outcome).message).toContain('"Deceased"');
  }
});

test.each([
  ['Send me offers', 'yes', 'no'],
  ['Send me offers', 'yes', ''],
  ['gdpr_consent', 'A', 'B'],
  ['Marketing Information', 'FALSE', 'TRUE'],
  ['GDPR', 'no', 'no'],
])('nor "%s" with "%s" and "%s", which may say no', async (name, first, second) => {
  const people = `Email,Newsletter,Left,${name}\nana@example.org,yes,no,${first}\nben@example.org,yes,no,${second}\n`;
  for (const map of ['subscribed=Newsletter', 'unsubscribed=Left']) {
    for (const door of Object.keys(doors) as (keyof typeof doors)[]) {
      const outcome = await at(door, people, '--map', map, '--json');
      expect({ door, exitCode: outcome.exitCode }).toEqual({ door, exitCode: 2 });
      expect(errorOf(outcome).message).toContain(`the column "${name}" may say who wants email`);
      const both = ['--map', map, '--ignore-column', name];
      expect(await at(door, people, ...both)).toMatchObject({ exitCode: 0 });
    }
  }
});

test('each of several columns in doubt has its line, as HubSpot lists who opted out of what', async () => {
  const names = ['Portal Bounce', 'Portal Unsubscribe', 'Portal Spam Report', 'Global Bounce'];
  const cells = (at: number) => [0, 1, 2, 3, 4].map((one) => (one === at ? 'TRUE' : 'FALSE'));
  const rows = [0, 1, 2, 3, 4, 5].map((row) => `p${row}@example.org,${cells(row - 1)}`);
  const people = [`Email,${names},Marketing Information`, ...rows, ''].join('\n');
  const { message, hint = '' } = errorOf(await at('contact import', people, '--json'));
  for (const name of [...names, 'Marketing Information']) {
    expect(message).toContain(`"${name}"`);
    expect(hint).toContain(`unsubscribed=${name}`);
  }
  const flags = names.flatMap((name) => ['--map', `unsubscribed=${name}`]);
  const rest = await at('contact import', people, ...flags, '--json');
  expect(errorOf(rest).message).toContain('the column "Marketing Information" may say who');
  const all = [...flags, '--map', 'unsubscribed=Marketing Information'];
  const { world } = await at('contact import', people, ...all);
  const list = 'contact list --book People --fields email,subscribed --no-header --sandbox';
  expect((await world.run(list)).stdout.match(/true/g)).toHaveLength(1);
});

describe('the name of a person', () => {
  const names = (first: string, last: string) =>
    `Email,First name,Last name\np0@example.org,${first},${last}\np1@example.org,Ben,Berg\n`;

  test.each([
    ['unsubscribed', 'Meier', 'First name'],
    ['do not email', 'Meier', 'First name'],
    ['Anna - UNSUBSCRIBED', 'Meier', 'First name'],
    ['Anna', 'Meier (deceased)', 'Last name'],
    ['Anna', 'Meier †', 'Last name'],
  ])('stops if it says no, and the hint keeps the others: %s %s', async (first, last, column) => {
    for (const door of ['contact import', 'email batch'] as const) {
      const outcome = await at(door, names(first, last), '--json');
      expect({ door, exitCode: outcome.exitCode }).toEqual({ door, exitCode: 2 });
      const said = column === 'First name' ? first : last;
      const { message, hint = '' } = errorOf(outcome);
      expect(message).toContain(`the column "${column}" may say who wants email: "${said}" (1)`);
      expect(hint).toContain(`--map 'unsubscribed=${column}:${said}'`);
    }
    const map = `unsubscribed=${column}:${column === 'First name' ? first : last}`;
    const { world } = await at('contact import', names(first, last), '--map', map);
    const list =
      'contact list --book People --fields email,firstName,lastName,subscribed --no-header';
    const { stdout } = await world.run(`${list} --sandbox`);
    expect(stdout).toContain(`p0@example.org\t${first}\t${last}\tfalse\n`);
    expect(stdout).toContain('p1@example.org\tBen\tBerg\ttrue\n');
  });

  test('stops after any number of others', async () => {
    const rows = Array.from({ length: 400 }, (_, index) => `p${index}@example.org,Name ${index}`);
    const people = ['Email,First name', ...rows, 'ana@example.org,unsubscribed', ''].join('\n');
    expect(await at('contact import', people)).toMatchObject({ exitCode: 2 });
  });

  test('is shown if it seems to say no, even where a template writes it', async () => {
    for (const name of ['ZZ-DO NOT USE Berg', 'Estate of Anna']) {
      const { stderr } = await at(
        'email batch',
        names(name, 'x'),
        '--html',
        '{{ ["First name"] }}',
      );
      expect(stderr).toContain(`\n  "First name": notes such as "${name}" (1), in 2 of 2 rows\n`);
    }
  });

  test.each([
    ['No', 'Junk'],
    ['Noah', 'Baja'],
    ['D', 'C'],
    ['Anna (Annie)', 'Stop-Smith'],
    ['', 'M.'],
  ])('is a name: %s %s', async (first, last) => {
    for (const door of ['contact import', 'email batch'] as const) {
      const { exitCode, stderr } = await at(door, names(first, last));
      expect({ door, exitCode, stderr }).toMatchObject({ exitCode: 0 });
      expect(stderr).not.toContain('not used to decide who wants email');
    }
  });

  test('of a domain that cannot exist makes the row invalid', async () => {
    const people = 'Email\nana@example.org.invalid\nben@invalid.example\n';
    for (const door of ['contact import', 'contact sync', 'email batch'] as const) {
      const outcome = await at(door, people, '--skip-invalid');
      expect(outcome.stderr).toContain(
        'row 1: "ana@example.org.invalid" can never arrive: there is no domain that ends in .invalid\n',
      );
    }
    const { world } = await at('contact import', people, '--skip-invalid');
    const list = 'contact list --book People --fields email --no-header --sandbox';
    expect((await world.run(list)).stdout).toBe('ben@invalid.example\n');
  });

  test('before an address makes its row invalid if it says no', async () => {
    const people =
      'Email\nDO NOT MAIL <p0@example.org>\nDo Nascimento <p1@example.org>\nunsubscribe@example.org\n';
    for (const door of ['contact import', 'contact sync'] as const) {
      const outcome = await at(door, people, '--json');
      expect({ door, exitCode: outcome.exitCode }).toEqual({ door, exitCode: 2 });
      expect(errorOf(outcome).message).toContain(
        'row 1: "DO NOT MAIL <p0@example.org>" may not want email',
      );
    }
    const { stdout } = await at('email batch', people, '--json');
    expect(JSON.parse(stdout).data).toMatchObject([
      { error: { message: '"DO NOT MAIL <p0@example.org>" may not want email' } },
      { to: 'Do Nascimento <p1@example.org>' },
      { to: 'unsubscribe@example.org' },
    ]);
  });
});

describe('beside a column that says yes', () => {
  const people = (name: string, cells: readonly string[]) =>
    [
      `Email,Accepts Marketing,"${name}"`,
      ...cells.map((cell, index) => `p${index}@example.org,yes,"${cell}"`),
      '',
    ].join('\n');

  test.each([
    ['Suppression reason', '', 'HardBounce'],
    ['Hard bounce reason', 'UNKNOWN_USER', ''],
    ['Bounce type', '', 'Permanent'],
    ['Bounce category', 'Hard', 'Soft'],
  ])('"%s" still stops: %s, %s', async (name, ...cells) => {
    for (const door of ['contact import', 'email batch'] as const) {
      const outcome = await at(door, people(name, cells), '--json');
      expect({ door, exitCode: outcome.exitCode }).toEqual({ door, exitCode: 2 });
      expect(errorOf(outcome).hint).toContain(`--map 'unsubscribed=${name}:*'`);
    }
  });

  test.each([
    ['Bounce type', '', 'Soft', '"Soft" (1), in 1 of 2 rows'],
    ['State', 'enabled', 'declined', '"enabled" (1), "declined" (1), in 2 of 2 rows'],
    ['Churned', '', 'lost', '"lost" (1), in 1 of 2 rows'],
  ])('"%s" is shown: %s, %s', async (name, first, second, shown) => {
    for (const door of ['contact import', 'email batch'] as const) {
      const { exitCode, stderr } = await at(door, people(name, [first, second]));
      expect({ door, exitCode, stderr }).toMatchObject({ exitCode: 0 });
      expect(stderr).toContain(`\n  "${name}": ${shown}\n`);
    }
  });

  test.each([
    ['Status', 'gold', 'silver'],
    ['Order status', 'shipped', 'cancelled'],
    ['Suppression count', '0', '0'],
    ['Bounces', '0', '0'],
    ['Notes', 'hard to reach', 'permanent address'],
  ])('"%s" is data: %s, %s', async (name, ...cells) => {
    const { exitCode, stderr } = await at('contact import', people(name, cells));
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
    expect(stderr).not.toContain('not used to decide who wants email');
  });
});

test('a hint about the column of addresses runs nothing that is in the file', async () => {
  const { stderr } = await at('contact import', 'x,$(touch owned) mail\na,ana@example.org\n');
  expect(stderr).toContain("--map 'email=$(touch owned) mail'");
});

test('a no that is the reason is proposed as a no, and never as a yes', async () => {
  const { hint = '' } = errorOf(
    await at('email batch', file('Notes', ['do not email', 'nice']), '--json'),
  );
  expect(hint).toContain("--map 'unsubscribed=Notes:do not email'");
  expect(hint).not.toContain("subscribed=Notes:do not email'\n--map");
  expect(hint).not.toMatch(/[^n]subscribed=Notes/);
  const long = 'I would like to get the weekly newsletter and all of your offers by email';
  const other = errorOf(
    await at('contact import', file('gdpr_consent', [long, `${long}, not`]), '--json'),
  );
  expect(other.hint).toContain(`--map 'subscribed=gdpr_consent:${long}'`);
  expect(other.hint).not.toContain(', not');
});

test.each([
  ['Reason', 'BOUNCE', 'COMPLAINT'],
  ['Motivo de remoción', 'Hard Bounced', 'Por Suscriptor'],
])('each reason of "%s" is proposed as a no', async (name, ...reasons) => {
  const outcome = await at('contact import', file(name, reasons), '--json');
  expect(errorOf(outcome).hint).toMatch(
    new RegExp(`^Nothing was sent\\.\nIf any value .* --map '?unsubscribed=${name}:\\*'\n`),
  );
  const { world } = await at(
    'contact import',
    file(name, reasons),
    '--map',
    `unsubscribed=${name}:*`,
  );
  const list = 'contact list --book People --fields subscribed --no-header --sandbox';
  expect((await world.run(list)).stdout).toBe('false\nfalse\n');
});

test.each([
  [['1', '-1', '-2', '-1'], 'subscribed=STATUS:1'],
  [['5.1.1', '5.1.1'], "'unsubscribed=STATUS:*'"],
  [['3', '3'], "'unsubscribed=STATUS:*'"],
  [['2', 'C'], 'subscribed=STATUS:C'],
])('no number is proposed as a yes unless it means that: %j', async (cells, map) => {
  const { hint = '' } = errorOf(await at('contact import', file('STATUS', cells), '--json'));
  expect(hint.match(/--map .*/g)).toEqual([`--map ${map}`]);
});

test('what --only-columns leaves out is named if it says who wants email', async () => {
  const people = 'Email,Unsubscribed\nana@example.org,yes\n';
  const { stderr } = await at('contact import', people, '--only-columns', 'Email');
  expect(stderr).toContain(
    'Not used, although by name it may say who wants email: "Unsubscribed".',
  );
});

test('a sync says who wants email, as an import does', async () => {
  const { stderr } = await at('contact sync', file('Newsletter', ['yes', 'no', '']));
  expect(stderr).toContain(
    '"Newsletter" says who wants email: 1 yes, 1 no, 1 without an answer.\n',
  );
  expect(stderr).toContain('1 left out, because the file does not say that they want email.');
});

describe('a cell that has swallowed rows between two stray quotes', () => {
  const rows = (...lines: readonly string[]) => [...lines, ''].join('\n');
  const swallowing = [
    [
      'rows with two columns',
      rows('Email,Note', 'a@example.org,"n', 'b@example.org,n', 'c@example.org,n"'),
    ],
    ['the next row', rows('Email,Note', 'a@example.org,"n', 'b@example.org,n"')],
    [
      'rows with more columns',
      rows(
        'Email,Name,Note,City',
        'a@example.org,A,"5,Bonn',
        'b@example.org,B,,Ulm',
        'c@example.org,C,6",Trier',
      ),
    ],
    ['addresses behind', rows('Note,Email', '"n,a@example.org', 'n",b@example.org')],
    [
      'semicolons',
      rows('Name;Email;Note;City', 'A;a@example.org;"n;Bonn', 'B;b@example.org;n";Ulm'),
    ],
    ['blanks', rows('Email, Note, City', 'a@example.org, "n, Bonn', 'b@example.org, n", Ulm')],
    ['in another column', rows('Email,Note,City', 'a@example.org,"n,Bonn', 'b@example.org,n,Ulm"')],
    ['the header', rows('Email,"Note', 'a@example.org,n', 'b@example.org,n"')],
  ] as const;

  test.each(swallowing)('stops: %s', async (_, people) => {
    for (const door of Object.keys(doors) as (keyof typeof doors)[]) {
      const skip = door.endsWith('--preview') || door === 'email batch' ? [] : ['--skip-invalid'];
      const outcome = await at(door, people, '--json', ...skip);
      expect({ door, exitCode: outcome.exitCode }).toEqual({ door, exitCode: 2 });
      expect(errorOf(outcome).message).toMatch(/a cell has several lines, of which one looks like/);
    }
  });

  test.each([
    ['a signature', 'Email,Note', 'a@example.org,"Hi\nAna Berg\na@example.org"'],
    ['a signature with a number', 'Email,Note', 'a@example.org,"Ana\na@example.org, +49 30 12"'],
    ['another person', 'Email,Note,City', 'a@example.org,"Friends:\nb@example.org, sister",Ulm'],
    ['a postal address', 'Email,Name,Address', 'a@example.org,Ana,"Main St 1,\nUlm,Germany"'],
    ['an email', 'Email,Mail,City', 'a@example.org,"To: b@example.org\nHi,Ben,\nbye",Ulm'],
    ['several addresses', 'Email,Other', 'a@example.org,"b@example.org\nc@example.org"'],
  ])('is not %s', async (_, header, row) => {
    for (const door of ['contact import', 'email batch'] as const) {
      expect(await at(door, rows(header, row))).toMatchObject({ exitCode: 0 });
    }
  });

  test('may be one text', async () => {
    const [[, people]] = swallowing;
    const outcome = await at('contact import', people, '--json');
    expect(errorOf(outcome)).toMatchObject({
      message:
        'people.csv: row 1: a cell has several lines, of which one looks like a row: "b@example.org,n"',
      hint: expect.stringMatching(/If the cell is one text: --ignore-column Note$/),
    });
    expect(await at('contact import', people, '--ignore-column', 'Note')).toMatchObject({
      exitCode: 0,
    });
  });
});

describe('a header below a title', () => {
  test.each([
    ['with a blank line', 'Newsletter recipients March\n\n', 3],
    ['with cells of a spreadsheet', 'Report,,\nMade on,2026-03-01,\n', 3],
    ['in quotes', '"Report, of March"\r\n', 2],
  ])('is named, with a command that leaves out the title: %s', async (_, title, line) => {
    const people = 'Email,First name,Opted out\nana@example.org,Ana,x\n';
    for (const door of Object.keys(doors) as (keyof typeof doors)[]) {
      const outcome = await at(door, title + people, '--json');
      expect({ door, exitCode: outcome.exitCode }).toEqual({ door, exitCode: 2 });
      expect(errorOf(outcome)).toMatchObject({
        message: `people.csv: the header seems to be in line ${line}: "Email,First name,Opted out"`,
        hint: expect.stringContaining(
          `\ntail -n +${line} people.csv > people-from-line-${line}.csv`,
        ),
      });
    }
    const map = ['--map', 'email=Newsletter recipients March'];
    expect(await at('contact import', title + people, ...map)).toMatchObject({ exitCode: 2 });
  });

  test.each([
    ['a line for Excel', 'sep=;\nEmail;Name\nana@example.org;Ana\n', 'email=Email'],
    [
      'a name of several lines',
      '"Contact\nEmail",Name\nana@example.org,Ana\n',
      'email=Contact\nEmail',
    ],
    ['a cell', 'Kontakt,Channel\n,Email\nana@example.org,Email\n', 'email=Kontakt'],
  ])('is not %s', async (_, people, map) => {
    const { world } = await at('contact import', people, '--map', map, '--skip-invalid');
    const { stdout } = await world.run('contact list --book People --sandbox');
    expect(stdout).toContain('ana@example.org');
  });
});

test.each([
  ['a cell with any number of at signs', `Notes,Email\n${'@'.repeat(400_000)} died`],
  ['a name of a column with any number of blanks', `a${' '.repeat(400_000)}b,Email\nx`],
])('%s is read', async (_, people) => {
  const { exitCode } = await at('contact import', `${people},ana@example.org\n`);
  expect(exitCode).toBe(0);
});

test('fields of JSON with objects and lists may be left out, by the line of the hint', async () => {
  const rows = [
    { email: 'ana@example.org', name: 'Ana', preferences: { lang: 'de' }, lists: [1] },
    { email: 'ben@example.org', name: 'Ben', preferences: {} },
  ];
  for (const door of ['contact import', 'contact sync'] as const) {
    const outcome = await at(door, JSON.stringify(rows), '--json');
    expect(outcome.exitCode).toBe(2);
    expect(errorOf(outcome).hint).toMatch(
      /\nTo leave out "preferences", "lists": --only-columns email,name$/,
    );
    const only = await at(door, JSON.stringify(rows), '--only-columns', 'email,name');
    expect(only).toMatchObject({ exitCode: 0 });
  }
});

describe('values of JSON and lists', () => {
  const ana = 'ana@example.org';
  const ben = 'ben@example.org';
  const shopify = (state: string) => ({ state, opt_in_level: 'single_opt_in' });

  test.each([
    [
      'attributes',
      { city: 'Bonn', news: [1] },
      { city: 'Ulm', unsubscribed: true },
      'unsubscribed:true',
    ],
    [
      'profile',
      { user: { newsletter: true } },
      { user: { newsletter: false } },
      'user:newsletter:false',
    ],
    ['tags', ['vip', 'new'], ['vip', 'unsubscribed'], 'unsubscribed'],
    ['Tags', 'vip, new', 'vip, opted-out', 'opted-out'],
  ])('that say no have a line that leaves out these people: "%s"', async (name, yes, no, part) => {
    const content = JSON.stringify([
      { email: ana, [name]: yes },
      { email: ben, [name]: no },
    ]);
    const map = `unsubscribed=${name}:${part}`;
    for (const door of ['contact import', 'contact sync', 'email batch'] as const) {
      const rows = door === 'email batch' ? content.replaceAll('"email"', '"to"') : content;
      const outcome = await at(door, rows, '--json');
      expect({ door, exitCode: outcome.exitCode }).toEqual({ door, exitCode: 2 });
      expect(errorOf(outcome).hint).toContain(`--map ${map}`);
      const skip = door === 'email batch' ? ['--skip-opted-out'] : [];
      const { world, ...mapped } = await at(door, rows, '--map', map, ...skip);
      expect(mapped.stderr).not.toContain('may say');
      if (door === 'email batch') continue;
      const list = 'contact list --book People --fields email,subscribed --no-header --sandbox';
      const { stdout } = await world.run(list);
      expect(stdout).toContain(`${ana}\ttrue`);
      expect(stdout).toContain(`${ben}\tfalse`);
    }
  });

  test.each([
    ['email_marketing_consent', shopify('subscribed'), shopify('unsubscribed'), 'state:subscribed'],
    ['email_marketing_consent', shopify('subscribed'), shopify('pending'), 'state:subscribed'],
    ['$consent', ['email'], ['sms'], 'email'],
    ['$consent', ['email', 'sms'], [], 'email'],
  ])('that say who wants email have a line for them: "%s"', async (name, yes, no, part) => {
    const content = JSON.stringify([
      { email: ana, [name]: yes },
      { email: ben, [name]: no },
    ]);
    const map = `subscribed=${name}:${part}`;
    const { hint } = errorOf(await at('contact import', content, '--json'));
    expect(hint).toContain(map);
    const { world, stderr } = await at('contact import', content, '--map', map);
    expect(stderr).toContain(`"${name}" says who wants email: 1 yes`);
    const list = 'contact list --book People --fields email,subscribed --no-header --sandbox';
    const { stdout } = await world.run(list);
    expect(stdout).toContain(`${ana}\ttrue`);
    expect(stdout).not.toContain(`${ben}\ttrue`);
  });

  test('a list that has a named no says no, and one with a named yes does not say yes', async () => {
    const tags = file('Tags', ['vip', 'vip, unsubscribed', 'unsubscribed']);
    const { world } = await at('contact import', tags, '--map', 'unsubscribed=Tags:unsubscribed');
    const list = 'contact list --book People --fields email,subscribed --no-header --sandbox';
    expect((await world.run(list)).stdout.match(/false/g)).toHaveLength(2);
    const lists = file('Lists', ['news', 'news, unsubscribed']);
    const other = await at('contact import', lists, '--map', 'subscribed=Lists:news');
    expect(other.stderr).toContain('"Lists" says who wants email: 1 yes, 1 no.');
  });
});

test('two columns of one name may both be left out, by the line of the hint', async () => {
  const people = 'Email,Comment,First name,Comment\nana@example.org,a,Ana,b\n';
  for (const door of Object.keys(doors) as (keyof typeof doors)[]) {
    const outcome = await at(door, people, '--json');
    expect(outcome.exitCode).toBe(2);
    expect(errorOf(outcome).hint).toMatch(/To use neither: --only-columns 'Email,First name'$/);
    expect(await at(door, people, '--only-columns', 'Email,First name')).toMatchObject({
      exitCode: 0,
    });
  }
  const twice = await at('contact import', 'Email,Name,Email\na@example.org,A,a@example.org\n');
  expect(twice.stderr).not.toContain('--only-columns');
});

describe('people who have not confirmed, beside the date of their sign-up', () => {
  const people =
    'Email,Subscribed,Status\nana@example.org,2024-05-01 10:00:00,Active\nben@example.org,2024-05-01 10:00:00,Unconfirmed\ncy@example.org,2024-05-01 10:00:00,Active\n';

  test.each([[], ['--map', 'subscribed=Subscribed']])(
    'stop, unless --map names the status: %j',
    async (...flags) => {
      for (const door of Object.keys(doors) as (keyof typeof doors)[]) {
        const outcome = await at(door, people, ...flags);
        expect({ door, exitCode: outcome.exitCode }).toEqual({ door, exitCode: 2 });
        expect(outcome.stderr).toContain('the column "Status" may say who wants email');
        expect(outcome.stderr).toContain('--map subscribed=Status');
      }
    },
  );

  test('are not subscribed, and not mailed', async () => {
    const map = ['--map', 'subscribed=Status'];
    for (const door of ['contact import', 'contact sync'] as const) {
      const { world, stderr } = await at(door, people, ...map);
      expect(stderr).toContain('"Status" says who wants email: 2 yes, 0 no, 1 without an answer.');
      const { stdout } = await world.run('contact list --book People --sandbox');
      expect(stdout).not.toContain('ben@example.org');
    }
    const pending = people.replace('Unconfirmed', 'pending');
    for (const content of [people, pending]) {
      const batch = await at('email batch', content, ...map);
      expect(batch.stderr).toContain('"Status" has no answer in row 2');
      const sent = await at('email batch', content, ...map, '--skip-opted-out', '--json');
      expect(JSON.parse(sent.stdout).data[1]).toMatchObject({ error: { code: 'opted_out' } });
    }
  });

  test('are none where the status is of an order or a booking', async () => {
    for (const [one, other] of [
      ['pending', 'shipped'],
      ['Unconfirmed', 'checked in'],
    ] as const) {
      const orders = people.replaceAll('Active', other).replace('Unconfirmed', one);
      expect(await at('contact import', orders)).toMatchObject({ exitCode: 0 });
    }
  });
});

describe('a row of no person that says who stands below it', () => {
  const people = (...lines: readonly string[]) => [...lines, ''].join('\n');
  const skips = ['--skip-invalid', '--skip-opted-out'] as const;
  const skip = (door: keyof typeof doors) => (door === 'email batch' ? skips[1] : skips[0]);
  const ana = 'ana@example.org,Ana,yes';
  const cy = 'cy@example.org,Cy,yes';
  const header = 'Email,First name,Subscribed';

  test.each([
    ['another header', header, ana, 'Email,First name,Unsubscribed', cy],
    ['one in another order', header, ana, 'First name,Email,Unsubscribed', cy],
    ['one with other columns', header, ana, 'E-mail,Unsubscribed', cy],
    [
      'a line of text',
      'Email,Name',
      'ana@example.org,Ana',
      'Unsubscribed since 2024,',
      'cy@example.org,Cy',
    ],
    [
      'one without commas',
      'Email,Name',
      'ana@example.org,Ana',
      'Opt-outs 2024',
      'cy@example.org,Cy',
    ],
    ['a word', 'Email,Name', 'ana@example.org,Ana', 'Inactive,', 'cy@example.org,Cy'],
    [
      'one in another column',
      'Name,Email',
      'Ana,ana@example.org',
      '--- Abgemeldet ---,',
      'Cy,cy@example.org',
    ],
  ])('stops, and is no invalid row: %s', async (_, ...lines) => {
    for (const door of ['contact import', 'contact sync', 'email batch'] as const) {
      const outcome = await at(door, people(...lines), '--json', skip(door));
      expect({ door, exitCode: outcome.exitCode }).toEqual({ door, exitCode: 2 });
      const { message, hint } = errorOf(outcome);
      expect(message).toMatch(/^people.csv: row 2 is (another header|not a person)/);
      expect(hint).toContain('Put the rows below it into a file of their own');
    }
    const preview = await at('email batch --preview', people(...lines));
    expect(preview.exitCode).toBe(2);
    const once = await at('contact import', people(...lines), '--max-invalid', '1');
    expect(once.exitCode).toBe(2);
  });

  test.each([
    ['the same header', header, ana, header, cy],
    [
      'a person without an address',
      'Email,Name,Status',
      'a@example.org,A,subscribed',
      ',B,unsubscribed',
      'c@example.org,C,subscribed',
    ],
    [
      'a person who prefers email',
      'Email,Name,Channel',
      'a@example.org,A,Phone',
      'none,B,Email',
      'c@example.org,C,Email',
    ],
    ['a place', 'Email,Name', 'a@example.org,A', 'Berlin,', 'c@example.org,C'],
    [
      'a line at the end',
      'Email,Name',
      'a@example.org,A',
      'c@example.org,C',
      'Unsubscribed people are not listed,',
    ],
  ])('is not %s', async (_, ...lines) => {
    const { world, exitCode, stderr } = await at(
      'contact import',
      people(...lines),
      '--skip-invalid',
    );
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 11 });
    const { stdout } = await world.run('contact list --book People --sandbox --json');
    expect(JSON.parse(stdout)).toHaveLength(2);
    const batch = await at('email batch', people(...lines), '--skip-opted-out');
    expect(batch.stderr).toMatch(/Accepted 2 (of 2 )?emails/);
  });
});

describe('a field that a row of JSON leaves out is no answer, like null', () => {
  const subscribed = async (world: World) => {
    const list = 'contact list --book People --fields email,subscribed --no-header --sandbox';
    return (await world.run(list)).stdout.trim();
  };
  const ana = { email: 'ana@example.org' };
  const ben = { email: 'ben@example.org' };

  test.each([
    ['subscribed', [{ ...ana, subscribed: true }, ben]],
    ['consent', [{ ...ana, consent: true }, ben]],
    ['consent', [ben, { ...ana, consent: true }]],
  ])('"%s" in %j', async (name, rows) => {
    for (const content of [
      JSON.stringify(rows),
      rows.map((row) => JSON.stringify(row)).join('\n'),
    ]) {
      for (const door of ['contact import', 'contact sync'] as const) {
        const { world, stderr } = await at(door, content);
        expect(await subscribed(world)).toBe('ana@example.org\ttrue');
        expect(stderr).toContain(
          `"${name}" says who wants email: 1 yes, 0 no, 1 without an answer.`,
        );
      }
      const batch = await at('email batch', content.replaceAll('"email"', '"to"'));
      expect(batch.exitCode).toBe(2);
      expect(batch.stderr).toContain(`"${name}" has no answer in row`);
    }
  });

  test('also among variables', async () => {
    const rows = [
      { to: 'ana@example.org', variables: { consent: true } },
      { to: 'ben@example.org', variables: {} },
    ];
    const { stderr } = await at('email batch', JSON.stringify(rows));
    expect(stderr).toContain('"consent" has no answer in row 2');
  });

  test('is a status that some people do not have', async () => {
    const content = JSON.stringify([ben, { ...ana, status: 'subscribed' }]);
    expect((await at('contact import', content)).stderr).toContain('"status" may say who wants');
  });

  test('stops if it comes too late to be known in the first row, until that has it', async () => {
    const people = Array.from({ length: 1200 }, (_, n) => ({ email: `p${n}@example.org` }));
    const rows = [...people, { ...ana, subscribed: true }];
    const outcome = await at('contact import', JSON.stringify(rows), '--json');
    expect(outcome.exitCode).toBe(2);
    expect(errorOf(outcome)).toMatchObject({
      message: 'people.csv: the first 1,200 rows have no "subscribed", which says who wants email.',
      hint: expect.stringContaining('"subscribed": null in the first row'),
    });
    const first = { ...people[0], subscribed: null };
    const { world } = await at('contact import', JSON.stringify([first, ...rows.slice(1)]));
    expect(await subscribed(world)).toBe('ana@example.org\ttrue');
  });

  test('changes nothing where it objects, or is about something else', async () => {
    for (const field of [{ opted_out: false }, { vip: true }, { accepts_sms: true }]) {
      const rows = [{ ...ana, ...field }, ben];
      const { world, exitCode } = await at('contact import', JSON.stringify(rows));
      expect(exitCode).toBe(0);
      expect(await subscribed(world)).toContain('ben@example.org\ttrue');
    }
  });
});
