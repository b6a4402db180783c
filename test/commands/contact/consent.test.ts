import { describe, expect, test } from 'vitest';
import { errorOf, fileIn, key } from '../../support/connected.ts';
import { startContactService } from '../../support/contact-service.ts';
import { createWorld } from '../../support/run.ts';

type Options = Parameters<typeof startContactService>[0];

async function setUp(options?: Options) {
  const service = await startContactService(options);
  const world = createWorld({ MAILER_API_KEY: key, MAILER_BASE_URL: service.baseUrl });
  return {
    service,
    file: (name: string, content: string | object) => fileIn(world, name, content),
    run: (words: readonly string[]) => world.run(words),
    import: (file: string, ...more: readonly string[]) =>
      world.run(['contact', 'import', file, '--book', 'Customers', '--yes', ...more]),
    /** Who is in the book, and whether they are subscribed. */
    book: () =>
      Object.fromEntries(
        [...service.contacts.values()].map((one) => [one.email.slice(0, 3), one.subscribed]),
      ),
    changes: () => service.seen().filter((one) => !one.startsWith('GET')),
  };
}

/** A file with one more column than the address: a cell for each person. */
function column(name: string, cells: Readonly<Record<string, string>>): string {
  const rows = Object.entries(cells).map(([who, cell]) => `${who}@example.org,"${cell}"`);
  return [`Email,"${name}"`, ...rows, ''].join('\n');
}

/** Columns of real exports, with a person who wants email and one who does not. */
const certain = [
  ['Shopify', 'Accepts Email Marketing', 'yes', 'no'],
  ['older Shopify', 'Accepts Marketing', 'yes', 'no'],
  ['WooCommerce', 'newsletter_optin', '1', '0'],
  ['HubSpot', 'Unsubscribed from all email', 'false', 'true'],
  ['HubSpot, by subscription', 'Opted out of email: Marketing Information', 'No', 'Yes'],
  ['Klaviyo', 'Email Marketing Consent', 'SUBSCRIBED', 'UNSUBSCRIBED'],
  ['Klaviyo, never asked', 'Email Marketing Consent', 'SUBSCRIBED', 'NEVER_SUBSCRIBED'],
  ['Brevo', 'EMAIL_BLACKLISTED', 'no', 'yes'],
  ['Mailchimp, people who unsubscribed', 'UNSUB_TIME', '', '2024-03-01 10:00:00'],
  ['Mailchimp', 'Status', 'subscribed', 'cleaned'],
  ['listmonk', 'subscription_status', 'confirmed opt-in', 'unsubscribed'],
  ['MailerLite', 'Status', 'active', 'unsubscribed'],
  ['Salesforce', 'HasOptedOutOfEmail', 'FALSE', 'TRUE'],
  ['Salesforce reports', 'Email Opt Out', '0', '1'],
  ['a spreadsheet', 'Opted out', '', 'x'],
  ['another one', 'Is subscribed', 'Y', 'N'],
  ['a date', 'Unsubscribed on', '', '01.03.2024'],
  ['bounces', 'Email status', 'subscribed', 'bounced'],
  ['German', 'Newsletter-Anmeldung', 'ja', 'nein'],
  ['German, inverted', 'Abgemeldet am', '', '01.03.2024'],
  ['German consent', 'Werbeeinwilligung', 'WAHR', 'FALSCH'],
  ['Spanish', 'Acepta marketing', 'sí', 'no'],
  ['Spanish, inverted', 'Dado de baja', 'no', 'sí'],
  ['French', 'Abonné', 'oui', 'non'],
  ['French, inverted', 'Désinscrit', 'non', 'oui'],
  ['Portuguese', 'Aceita marketing', 'sim', 'não'],
  ['Portuguese, inverted', 'Descadastrado', 'não', 'sim'],
  ['Italian', 'Iscritto', 'sì', 'no'],
  ['Italian, inverted', 'Disiscritto', 'no', 'sì'],
  ['Italian statuses', 'Stato', 'iscritto', 'disiscritto'],
  ['a form', 'Newsletter', 'Yes, please', 'No, thanks'],
  ['a form with marks', 'Newsletter', 'Yes!', 'No.'],
  ['a form without a comma', 'Newsletter', 'Yes please', 'No thank you'],
  ['a German form', 'Newsletter', 'Ja, gerne', 'Nein, danke'],
  ['a French form', 'Newsletter', "Oui, s'il vous plaît", 'Non merci'],
  ['an agreement', 'Newsletter', 'I agree', "I don't agree"],
  ['sign-ups', 'Newsletter', 'signed up', 'not signed up'],
  ['wishes', 'Newsletter', 'wants', 'doesn’t want'],
  ['pandas', 'Newsletter', '1.0', '0.0'],
  ['Notion', 'Newsletter', '✅', '❌'],
  ['agreements', 'Marketing consent', 'Agreed', 'Not agreed'],
  ['lists of Klaviyo', 'Email Marketing Consent', "['SUBSCRIBED']", "['UNSUBSCRIBED']"],
  ['suppressions of Klaviyo', 'Email Suppressions', '[]', "['USER_SUPPRESSED']"],
  ['Dutch', 'Ingeschreven', 'ja', 'nee'],
  ['Dutch, inverted', 'Uitgeschreven op', '', '01-03-2024'],
  ['Dutch statuses', 'Status', 'aangemeld', 'uitgeschreven'],
  ['Danish', 'Tilmeldt', 'ja', 'nej'],
  ['Danish, inverted', 'Afmeldt', 'nej', 'ja'],
  ['Swedish', 'Prenumererar', 'ja', 'nej'],
  ['Norwegian, inverted', 'Avmeldt', 'nei', 'ja'],
] as const;

describe('a column that says who wants email', () => {
  test.each(certain)('of %s, %s, is used and said', async (_, name, yes, no) => {
    const at = await setUp();
    at.file('people.csv', column(name, { ana: yes, ben: no }));
    const { exitCode, stderr } = await at.import('people.csv');
    expect({ exitCode, book: at.book() }).toEqual({ exitCode: 0, book: { ana: true, ben: false } });
    expect(stderr).toMatch(
      /^".+" says who (wants email: 1 yes, 1 no|does not want email: 1 of 2)\.$/m,
    );
    expect(stderr).toContain(`"${name}" says who `);
    expect(stderr).toContain('New contacts: 1 subscribed, 1 added as unsubscribed.\n');
  });

  test.each([
    ['text messages', 'Accepts SMS Marketing', 'no'],
    ['phone', 'Phone opt-out', 'yes'],
    ['post', 'Opt-in Post', 'nein'],
    ['WhatsApp', 'Accepts WhatsApp Marketing', 'no'],
    ['an order', 'Status', 'shipped'],
    ['a booking', 'Booking status', 'cancelled'],
    ['a member', 'Status', 'active'],
    ['a file of members', 'Active', 'yes'],
    ['an order with others', 'State', 'disabled, shipped'],
    ['a plan', 'Subscription', 'pro'],
    ['when somebody subscribed', 'OPTIN_TIME', ''],
    ['topics', 'Newsletter', 'weekly'],
    ['an address', 'Email verified', 'no'],
    ['an email', 'Mail sent', 'no'],
    ['a person', 'Contact owner', 'Ben'],
    ['how often', 'Email frequency', 'weekly'],
    ['lists', 'Tags', 'vip, news'],
    ['a person called No', 'Contact owner', 'No'],
    ['a number', 'Visits', '3'],
    ['a permission', 'Offers', '10% off'],
    ['an Italian address', 'Indirizzo', 'Via Roma 1'],
    ['Dutch post', 'Nieuwsbrief per post', 'nee'],
    ['an order in Italian', 'Stato', 'cancellato'],
    ['when somebody subscribed in Dutch', 'Aangemeld op', '2024-01-01'],
    ['a link', 'unsubscribe', 'https://example.com/u/1'],
    ['text messages of Klaviyo', 'SMS Marketing Consent', 'NEVER_SUBSCRIBED'],
    ['text messages, in short', 'SMS consent', 'unsubscribed'],
    ['WhatsApp, as a status', 'WhatsApp status', 'unsubscribed'],
    ['an app', 'Mobile push consent', 'never subscribed'],
    ['calls', 'Phone', 'Opted out'],
    ['the law, in HubSpot', "Legal basis for processing contact's data", 'Not applicable'],
    ['when somebody was reached', 'Last contacted', '2026-01-31'],
    ['an offer', 'Offer', 'Free shipping, no minimum'],
    ['a perfume', 'Offer', 'No. 5'],
    ['permissions of an account', 'Permissions', 'read, write'],
    ['where somebody heard of it', 'How did you hear from us?', 'A friend'],
    ['a status of a booking', 'Status', 'confirmed'],
  ])('a column about %s, "%s", says nothing about email', async (_, name, cell) => {
    const at = await setUp();
    at.file('people.csv', column(name, { ana: cell }));
    expect(await at.import('people.csv')).toMatchObject({ exitCode: 0 });
    expect(at.book()).toEqual({ ana: true });
    const [ana] = at.service.contacts.values();
    expect(ana?.properties).toEqual(cell === '' ? {} : { [name]: cell });
  });

  test.each([
    ['types', 'Type', ['0', '1', '2']],
    ['provinces', 'State', ['ON', 'NO', 'OR']],
    ['bookings', 'Status', ['Checked in', 'Pending', 'Cancelled']],
    ['offers', 'Offer', ['Free shipping, no minimum', 'No. 5']],
  ])('%s say nothing about email: %s, %j', async (_, name, [ana = '', ben = '', cy = '']) => {
    const at = await setUp();
    at.file('people.csv', column(name, { ana, ben, cy }));
    expect(await at.import('people.csv')).toMatchObject({ exitCode: 0 });
    expect(at.book()).toEqual({ ana: true, ben: true, 'cy@': true });
  });

  test.each([
    ['a name that may mean it', column('GDPR', { ana: 'yes', ben: 'no' })],
    ['a status with other values', column('Status', { ana: 'unsubscribed', ben: 'lead' })],
    [
      'values that cannot be read',
      column('Accepts Email Marketing', { ana: 'yes', ben: 'kind of' }),
    ],
    [
      'any name over values that say no',
      column('Segment', { ana: 'subscribed', ben: 'unsubscribed' }),
    ],
    ['a name that denies it', column('Kein Newsletter', { ana: 'ja' })],
    ['the same in English', column('Not subscribed', { ana: 'true' })],
    ['what was once', column('Previously subscribed', { ana: 'yes' })],
    ['both at once', column('Opted in / opted out', { ana: 'yes', ben: 'no' })],
    ['other words for it', column('Contactable', { ana: 'no' })],
    ['a question', column('Send me offers', { ana: 'No', ben: 'Yes' })],
    ['allowing', column('Email permissions', { ana: 'Deny', ben: 'Allow' })],
    ['whether it arrives', column('Email health', { ana: 'undeliverable', ben: 'good' })],
    ['the type of an email', column('Type', { ana: 'transactional' })],
    ['the status of a lead', column('Lead Status', { ana: 'New', ben: 'Unsubscribed' })],
    [
      'any status',
      column('Global status', { ana: 'subscribed', ben: 'unconfirmed', cy: 'unsubscribed' }),
    ],
    ['an account, which may be a subscription', column('Status', { ana: 'inactive' })],
    ['listmonk, without a blocklist', column('status', { ana: 'enabled', ben: 'disabled' })],
    ['Kit', column('Status', { ana: 'active', ben: 'inactive' })],
    ['Kit, who cancelled', column('state', { ana: 'active', ben: 'cancelled' })],
    ['MailerLite, who did not confirm', column('Status', { ana: 'active', ben: 'unconfirmed' })],
    ['who is active', column('Active', { ana: 'true', ben: 'false' })],
    ['who is active, in words', column('Active', { ana: 'yes', ben: 'no' })],
    ['who is enabled', column('Enabled', { ana: '1', ben: '0' })],
    ['who is blocked', column('State', { ana: 'active', ben: 'blocked' })],
    ['a tag', column('Tags', { ana: 'vip, opted-out', ben: 'vip' })],
    ['a list', column('Lists', { ana: 'News:unsubscribed', ben: 'News:confirmed' })],
    ['how often', column('Email frequency', { ana: 'never', ben: 'weekly' })],
    ['preferences', column('Marketing preferences', { ana: 'none', ben: 'all' })],
    ['a no among other values', column('Email updates', { ana: 'no', ben: 'monthly' })],
    [
      'a permission under a name that denies',
      column('Do not email', { ana: 'denied', ben: 'allowed' }),
    ],
    [
      'the same in Dynamics',
      column('Do not allow Bulk Emails', { ana: 'Do Not Allow', ben: 'Allow' }),
    ],
    ['marketing contacts', column('Marketing contact status', { ana: 'Non-marketing contact' })],
    ['a newsletter that is active', column('Newsletter-Status', { ana: 'inaktiv', ben: 'aktiv' })],
    ['a subscription', column('newsletter_subscription', { ana: 'no', ben: 'yes' })],
    ['complaints', column('Spam complaint', { ana: 'yes', ben: 'no' })],
    ['bounces', column('Hard bounce', { ana: 'yes', ben: 'no' })],
    ['a way to be reached', column('Contact by email', { ana: 'no', ben: 'yes' })],
    ['French', column('Ne pas contacter', { ana: 'oui', ben: 'non' })],
    ['Spanish', column('Acepta recibir correos', { ana: 'no', ben: 'sí' })],
    ['German', column('Mailsperre', { ana: 'ja', ben: 'nein' })],
    ['German, a circular', column('Rundschreiben', { ana: 'nein', ben: 'ja' })],
    ['Italian', column('Consenso marketing', { ana: 'no', ben: 'sì' })],
    ['Italian, inverted', column('Non contattare', { ana: 'sì', ben: 'no' })],
    ['Dutch', column('Toestemming', { ana: 'nee', ben: 'ja' })],
    ['a Dutch newsletter', column('Nieuwsbrief', { ana: 'nee', ben: 'ja' })],
    ['Dutch, inverted', column('Bezwaar', { ana: 'ja', ben: 'nee' })],
    ['Danish', column('Samtykke', { ana: 'nej', ben: 'ja' })],
    ['a Danish newsletter', column('Nyhedsbrev', { ana: 'nej', ben: 'ja' })],
    ['Swedish', column('Samtycke', { ana: 'nej', ben: 'ja' })],
    ['Polish', column('Zgoda marketingowa', { ana: 'nie', ben: 'tak' })],
    ['Polish, inverted', column('Wypisany', { ana: 'tak', ben: 'nie' })],
    ['an Italian tag', column('Tags', { ana: 'vip, disiscritto', ben: 'vip' })],
    ['a Dutch remark', column('Opmerking', { ana: 'geen nieuwsbrief', ben: 'vip' })],
    ['Mailjet', column('IsExcludedFromCampaigns', { ana: 'true', ben: 'false' })],
    ['an objection', column('Objected', { ana: '2024-05-05', ben: '' })],
    ['answers in other words', column('Newsletter', { ana: 'Sure thing', ben: 'Rather not' })],
    [
      'a long answer',
      column('Newsletter', { ana: 'Yes, I would like to get it', ben: 'No more of it' }),
    ],
    ['German answers', column('Newsletter', { ana: 'möchte ihn', ben: 'möchte ihn nicht' })],
    ['one of the GDPR', column('gdpr_consent', { ana: 'Agreed', ben: 'Not agreed' })],
    ['one of the GDPR, in other words', column('gdpr_consent', { ana: 'Given', ben: 'Open' })],
    [
      'a form',
      column('May we send you our newsletter?', { ana: 'Yes, please', ben: 'No, thanks' }),
    ],
    [
      'a form, in any words',
      column('Can we email you news?', { ana: 'Anytime', ben: 'Better by post' }),
    ],
    ['a question', column('Can we contact you by email?', { ana: 'Yes', ben: 'No' })],
    [
      'a question about any time',
      column('May we contact you at any time?', { ana: 'Yes', ben: 'No' }),
    ],
    ['a request', column('Contact me by email', { ana: 'Yes', ben: 'No' })],
    ['an agreement', column('Do you agree to be contacted by email?', { ana: 'Yes', ben: 'No' })],
    ['being happy', column('Happy to be contacted', { ana: 'Yes', ben: 'No' })],
    ['hearing from us', column('Would you like to hear from us?', { ana: 'Yes', ben: 'No' })],
    ['being up to date', column('Keep me up to date', { ana: 'Yes', ben: 'No' })],
    ['being on a list', column('On our mailing list', { ana: 'Yes', ben: 'No' })],
    ['being on a list, in other words', column('Add me to the list', { ana: 'Yes', ben: 'No' })],
    ['in and out', column('Newsletter', { ana: 'in', ben: 'out' })],
    ['German, in other words', column('Anschreiben erlaubt', { ana: 'ja', ben: 'nein' })],
    ['Canadian French', column('Infolettre', { ana: 'oui', ben: 'non' })],
    ['a German question', column('Dürfen wir Sie kontaktieren?', { ana: 'Ja', ben: 'Nein' })],
    [
      'a French question',
      column('Souhaitez-vous recevoir nos actualités ?', { ana: 'Oui', ben: 'Non' }),
    ],
    ['email and text messages', column('Consent to email and SMS', { ana: 'Yes', ben: 'No' })],
    ['yes and no among others', column('Wants news', { ana: 'yes', ben: 'sometimes' })],
    [
      'beehiiv',
      column('status', { ana: 'active', ben: 'inactive', cy: 'pending', dan: 'invalid' }),
    ],
    ['an inactive trial', column('status', { ana: 'inactive', ben: 'trial' })],
    [
      'one who cancelled, among others',
      column('status', { ana: 'active', ben: 'canceled', cy: 'trialing' }),
    ],
    ['one who did not confirm', column('status', { ana: 'confirmed', ben: 'unconfirmed' })],
    ['who is active, among others', column('Active', { ana: 'yes', ben: 'no', cy: 'maybe' })],
    ['a phone that denies email', column('Phone notes', { ana: 'do not email', ben: '' })],
    ['email of others', column('Opt-in partenaires', { ana: 'oui', ben: 'non' })],
    ['email and text messages at once', column('Email & SMS opt-out', { ana: 'yes', ben: 'no' })],
  ])('in doubt by %s stops before anything leaves', async (_, content) => {
    const at = await setUp();
    at.file('people.csv', content);
    const outcome = await at.import('people.csv', '--json');
    expect(outcome.exitCode).toBe(2);
    const { message, hint } = errorOf(outcome);
    const [, name = ''] = /"(.*)"/.exec(content) ?? [];
    expect(message).toContain(`the column "${name}"`);
    expect(hint).toMatch(/^Nothing was sent\./);
    expect(hint).toContain('--ignore-column');
    expect(at.changes()).toEqual([]);
  });

  test('decides beside a status that may be of an account, as Shopify has it', async () => {
    const at = await setUp();
    at.file(
      'people.csv',
      'Email,Accepts Email Marketing,State\nana@example.org,yes,disabled\nben@example.org,no,enabled\n',
    );
    expect(await at.import('people.csv')).toMatchObject({ exitCode: 0 });
    expect(at.book()).toEqual({ ana: true, ben: false });
  });

  test('is a status of active and inactive people by --map', async () => {
    const at = await setUp();
    at.file('people.csv', column('status', { ana: 'enabled', ben: 'disabled', cy: 'cancelled' }));
    await at.import('people.csv', '--map', 'subscribed=status');
    expect(at.book()).toEqual({ ana: true, ben: false, 'cy@': false });
  });

  test('is named once among several, with lines that work as they stand', async () => {
    const at = await setUp();
    at.file('people.csv', 'Email,GDPR,Wants news\nana@example.org,yes,no\n');
    expect(errorOf(await at.import('people.csv', '--json'))).toMatchObject({
      message:
        'people.csv: 2 columns may say who wants email:\n"GDPR": "yes" (1)\n"Wants news": "no" (1)',
      hint: [
        'Nothing was sent.',
        'If yes in "GDPR" means that a person wants email: --map subscribed=GDPR',
        'If yes in "GDPR" means that a person does not want email: --map unsubscribed=GDPR',
        'If yes in "Wants news" means that a person wants email: --map \'subscribed=Wants news\'',
        'If yes in "Wants news" means that a person does not want email: --map \'unsubscribed=Wants news\'',
        "If all of them mean something else: --ignore-column GDPR --ignore-column 'Wants news'",
      ].join('\n'),
    });
  });

  test('is found behind thousands of others, and a message names ten', async () => {
    const at = await setUp();
    const others = Array.from({ length: 2500 }, (_, index) => `c${index}`);
    const cells = others.map(() => '').join(',');
    at.file('people.csv', `Email,${others.join(',')},Opted out\nana@example.org,${cells},x\n`);
    await at.import('people.csv');
    expect(at.book()).toEqual({ ana: false });
    const many = others.slice(0, 300).map((name) => `GDPR ${name}`);
    at.file(
      'many.csv',
      `Email,${many.join(',')}\nb@example.org,${many.map(() => 'yes').join(',')}\n`,
    );
    const { message, hint } = errorOf(await at.import('many.csv', '--json'));
    expect(message.split('\n')).toHaveLength(12);
    expect(hint).toContain('something else: name the columns that you need, with --only-columns');
  });

  test('is found among tags that are different in each of hundreds of rows', async () => {
    const at = await setUp();
    const people = Array.from({ length: 400 }, (_, n) => [`p${n}`, `news, tag ${n}`] as const);
    at.file(
      'people.csv',
      column('Tags', { ...Object.fromEntries(people), ana: 'vip, unsubscribed' }),
    );
    const outcome = await at.import('people.csv', '--json');
    expect(outcome.exitCode).toBe(2);
    expect(errorOf(outcome).message).toContain(
      'the column "Tags" may say who wants email: "vip, unsubscribed" (1)',
    );
    expect(at.changes()).toEqual([]);
  });

  test('names a no before the other values of its column', async () => {
    const at = await setUp();
    const people = Array.from({ length: 20 }, (_, index) => `a${index}@example.org,tag${index}`);
    at.file('people.csv', ['Email,Tags', ...people, 'ben@example.org,unsubscribed', ''].join('\n'));
    expect(errorOf(await at.import('people.csv', '--json')).message).toContain(
      'the column "Tags" may say who wants email: "unsubscribed" (1), "tag0" (1)',
    );
  });

  test.each(['Subscribed', 'SUBSCRIBED', 'subscribe', 'news'])(
    'keeps its meaning when --map names it %s',
    async (name) => {
      const at = await setUp();
      at.file('people.csv', column('Accepts Email Marketing', { ana: 'yes', ben: 'no' }));
      await at.import('people.csv', '--map', `${name}=Accepts Email Marketing`);
      expect(at.book()).toEqual({ ana: true, ben: false });
    },
  );

  test('is in doubt if --map gives it a name that may mean it', async () => {
    const at = await setUp();
    at.file('people.csv', column('Column 3', { ana: 'yes', ben: 'no' }));
    expect(await at.import('people.csv', '--map', 'subscribe=Column 3')).toMatchObject({
      exitCode: 2,
    });
  });

  test('takes no first name for an answer', async () => {
    const at = await setUp();
    at.file('people.csv', column('Abonné', { ana: 'Jean', ben: 'No' }));
    await at.import('people.csv', '--map', 'firstName=Abonné');
    expect([...at.service.contacts.values()].map(({ firstName }) => firstName)).toEqual([
      'Jean',
      'No',
    ]);
  });

  test('is settled by --map, whatever its name', async () => {
    const at = await setUp();
    at.file('people.csv', column('GDPR', { ana: 'yes', ben: 'no', cy: 'active' }));
    await at.import('people.csv', '--map', 'subscribed=GDPR');
    expect(at.book()).toEqual({ ana: true, ben: false, 'cy@': true });
  });

  test('is settled by --map, inverted', async () => {
    const at = await setUp();
    at.file('people.csv', column('Widerspruch', { ana: '', ben: 'x' }));
    await at.import('people.csv', '--map', 'unsubscribed=Widerspruch');
    expect(at.book()).toEqual({ ana: true, ben: false });
  });

  test('beside the one that --map names is data', async () => {
    const at = await setUp();
    at.file('people.csv', 'Email,GDPR,Opted in\nana@example.org,yes,yes\nben@example.org,yes,no\n');
    await at.import('people.csv', '--map', 'subscribed=Opted in');
    expect(at.book()).toEqual({ ana: true, ben: false });
    const [ana] = at.service.contacts.values();
    expect(ana).toMatchObject({ subscribed: true, properties: { GDPR: 'yes' } });
  });

  test('is data with --ignore-column', async () => {
    const at = await setUp();
    at.file('people.csv', column('Status', { ana: 'unsubscribed', ben: 'lead' }));
    await at.import('people.csv', '--ignore-column', 'Status');
    expect(at.book()).toEqual({ ana: true, ben: true });
    expect([...at.service.contacts.values()].map(({ properties }) => properties)).toEqual([
      { Status: 'unsubscribed' },
      { Status: 'lead' },
    ]);
  });

  test.each(['yes,yes', 'no,yes', 'yes,no', 'no,no'])(
    'beside another: %s, no wins',
    async (cells) => {
      const at = await setUp();
      at.file('people.csv', `Email,Accepts Marketing,Opted in\nana@example.org,${cells}\n`);
      await at.import('people.csv');
      expect(at.book()).toEqual({ ana: cells === 'yes,yes' });
    },
  );

  test('is found in rows of JSON, too', async () => {
    const at = await setUp();
    at.file(
      'people.jsonl',
      '{"email":"ana@example.org","opted_out":true}\n{"email":"ben@example.org"}\n',
    );
    await at.import('people.jsonl');
    expect(at.book()).toEqual({ ana: false, ben: true });
  });
});

describe('the last of several rows with one address', () => {
  test.each([
    ['Opted out', 'x', '', false],
    ['subscribed', 'no', '', false],
    ['Accepts Email Marketing', 'no', 'yes', false],
    ['Accepts Email Marketing', 'yes', 'no', false],
  ])('under "%s", %s and then %s', async (name, first, then, subscribed) => {
    const at = await setUp();
    at.file('people.csv', `Email,${name}\nana@example.org,${first}\nANA@example.org,${then}\n`);
    const { stderr } = await at.import('people.csv', '--last-wins');
    expect(at.book()).toEqual({ ANA: subscribed });
    const isNoAgainstYes = first === 'no' && then === 'yes';
    const note = 'The "no" counts for 1 address with "no" in one row and "yes" in a later one.\n';
    expect(stderr.includes(note)).toBe(isNoAgainstYes);
  });

  test('is the one that is counted, and so are no invalid rows', async () => {
    const at = await setUp();
    const rows = ['ana@example.org,yes', 'ana@example.org,yes', 'nobody,no', 'ben@example.org,no'];
    at.file('people.csv', ['Email,Opted in', ...rows, ''].join('\n'));
    const { stderr } = await at.import('people.csv', '--last-wins', '--skip-invalid');
    expect(stderr).toContain('"Opted in" says who wants email: 1 yes, 1 no.\n');
  });
});

describe('an empty cell', () => {
  test('of consent leaves a new contact out, and counts it', async () => {
    const at = await setUp();
    at.service.add('cy@example.org', {});
    at.file('people.csv', column('Accepts Email Marketing', { ana: 'yes', ben: '', cy: '' }));
    const { stdout, stderr } = await at.import('people.csv', '--json', '--results', 'results.csv');
    expect(at.book()).toEqual({ 'cy@': true, ana: true });
    expect(JSON.parse(stdout)).toMatchObject({ new: 1, unchanged: 1, skipped: 1 });
    expect(stderr).toContain('1 left out, because the file does not say that they want email.');
  });

  test('of an opt-out is none', async () => {
    const at = await setUp();
    at.file('people.csv', column('Opted out', { ana: '', ben: 'x' }));
    await at.import('people.csv');
    expect(at.book()).toEqual({ ana: true, ben: false });
  });

  test('of "subscribed" changes nothing, and subscribes nobody who has not confirmed', async () => {
    const at = await setUp();
    at.service.add('ben@example.org', { subscribed: false, unsubscribeReason: 'UNSUBSCRIBED' });
    at.service.add('cy@example.org', {});
    at.file('people.csv', column('subscribed', { ana: '', ben: '', cy: '', dan: 'true' }));
    const { stderr } = await at.import('people.csv');
    expect(at.book()).toEqual({ ben: false, 'cy@': true, dan: true });
    expect(stderr).toContain('1 left out, because the file does not say that they want email.');
  });

  test('of "subscribed" leaves the question to a book with double opt-in', async () => {
    const at = await setUp({ doubleOptIn: true });
    at.file('people.csv', column('subscribed', { ana: '' }));
    expect(await at.import('people.csv')).toMatchObject({ exitCode: 0 });
    expect(at.service.contacts.size).toBe(1);
  });

  test('is null in JSON', async () => {
    const at = await setUp();
    at.file(
      'people.jsonl',
      '{"email":"ana@example.org","accepts_marketing":null}\n{"email":"ben@example.org","accepts_marketing":true}\n',
    );
    await at.import('people.jsonl');
    expect(at.book()).toEqual({ ben: true });
  });

  test('of a pending contact, listed as JSON, leaves it out', async () => {
    const at = await setUp();
    const pending = { id: 'c1', contactBookId: 'b1', email: 'ana@example.org', subscribed: false };
    at.file('people.json', [pending, { ...pending, email: 'ben@example.org', subscribed: true }]);
    await at.import('people.json');
    expect(at.book()).toEqual({ ben: true });
  });
});

describe('a contact who is subscribed in the book', () => {
  const optedOut = column('Opted out', { ana: 'x', ben: '' });

  test('is not unsubscribed because of a name of a column', async () => {
    const at = await setUp();
    at.service.add('ana@example.org', {});
    at.file('people.csv', optedOut);
    const outcome = await at.import('people.csv', '--json');
    expect(outcome.exitCode).toBe(2);
    expect(errorOf(outcome)).toMatchObject({
      message:
        '1 contact in the book would be unsubscribed because of "Opted out", and an import cannot undo that: row 1.',
      hint: "Nothing was sent. To unsubscribe them: --map 'unsubscribed=Opted out'\nTo leave them subscribed: --ignore-column 'Opted out'",
    });
    expect(at.changes()).toEqual([]);
  });

  test('is unsubscribed by --map, and the question says how many', async () => {
    const at = await setUp();
    at.service.add('ana@example.org', {});
    at.file('people.csv', optedOut);
    const { exitCode, stderr } = await at.import('people.csv', '--map', 'unsubscribed=Opted out');
    expect({ exitCode, book: at.book() }).toEqual({ exitCode: 0, book: { ana: false, ben: true } });
    expect(stderr).toContain('1 contact of the book, subscribed until now, will be unsubscribed.');
  });

  test('is unsubscribed by a column that is called "subscribed"', async () => {
    const at = await setUp();
    at.service.add('ana@example.org', {});
    at.file('people.csv', column('subscribed', { ana: 'no' }));
    expect(await at.import('people.csv')).toMatchObject({ exitCode: 0 });
    expect(at.book()).toEqual({ ana: false });
  });

  test('is protected in a sync, too', async () => {
    const at = await setUp();
    at.service.add('ana@example.org', {});
    at.file('people.csv', optedOut);
    const words = ['contact', 'sync', 'people.csv', '--book', 'Customers', '--yes'];
    expect(await at.run(words)).toMatchObject({ exitCode: 2 });
    expect(at.changes()).toEqual([]);
  });
});

describe('--map', () => {
  test('is proposed for the columns that have addresses, as in exports of Google Contacts', async () => {
    const at = await setUp();
    at.file('people.csv', 'Name,E-mail 1 - Label,E-mail 1 - Value\nAna,* Home,ana@example.org\n');
    const { hint } = errorOf(await at.import('people.csv', '--json'));
    expect(hint).toBe("To name the column: --map 'email=E-mail 1 - Value'");
  });

  test('names a property otherwise', async () => {
    const at = await setUp();
    at.file('people.csv', column('Company Name', { ana: 'Ana Ltd' }));
    await at.import('people.csv', '--map', 'company_name=Company Name');
    const [ana] = at.service.contacts.values();
    expect(ana?.properties).toEqual({ company_name: 'Ana Ltd' });
  });

  test('says which of two columns has the addresses', async () => {
    const at = await setUp();
    at.file('people.csv', 'Email,email,Name\nana@example.org,b@example.org,Ana\n');
    const doubtful = await at.import('people.csv', '--json');
    expect(errorOf(doubtful).message).toContain(
      'several columns may have the addresses: Email, email',
    );
    await at.import('people.csv', '--map', 'email=Email', '--map', 'other_email=email');
    expect([...at.service.contacts.values()]).toMatchObject([
      { email: 'ana@example.org', properties: { other_email: 'b@example.org', Name: 'Ana' } },
    ]);
  });

  test.each([
    [
      ['--map', 'subscribed=Email'],
      '--map subscribed="Email": that column has the addresses, not who wants email',
    ],
    [['--map', 'subscribed'], '--map: "subscribed" is not of the form FIELD=COLUMN'],
    [['--map', 'subscribed=Optin'], '--map: people.csv has no column "Optin"'],
    [['--ignore-column', 'Nope'], '--ignore-column: people.csv has no column "Nope"'],
    [['--map', 'a=Plan', '--map', 'a=Email'], '--map: two columns are given for a'],
    [['--map', 'a=Plan', '--ignore-column', 'Plan'], 'The column "Plan" is given two meanings'],
  ])('%j is an error', async (flags, message) => {
    const at = await setUp();
    at.file('people.csv', column('Plan', { ana: 'pro' }));
    const outcome = await at.import('people.csv', '--json', ...flags);
    expect({ ...errorOf(outcome), exitCode: outcome.exitCode }).toMatchObject({
      message,
      exitCode: 2,
    });
  });
});

describe('a file whose name says that people do not want email', () => {
  const names = [
    'unsubscribes.csv',
    'suppressions.csv',
    'bounces.csv',
    'cleaned_members.csv',
    'unsubscribed_members_export_ab12cd34.csv',
    'Opted-Out 2026.csv',
    'blacklist.csv',
    'Abgemeldete.csv',
    'nonsubscribed_members_export_1.csv',
    'non-subscribed.csv',
    'hardbounces.csv',
    'spam_reports.csv',
    'contacts-marked-as-spam.csv',
    'suppression_invalid_emails.csv',
    'blocks.csv',
    'abmelder.csv',
    ...[
      'blackliste.csv',
      'lista_negra.csv',
      'Sperrliste.csv',
      'exclude.csv',
      'exclusions.csv',
      'removed.csv',
    ],
    ...[
      'uitschrijvingen.csv',
      'wypisani.csv',
      'resiliations.csv',
      'Widersprueche.csv',
      'Widerspruch.csv',
    ],
    ...[
      'decedes.csv',
      'overleden.csv',
      'fallecidos.csv',
      'falecidos.csv',
      'npai.csv',
      'churned.csv',
    ],
    ...[
      'nicht_anschreiben.csv',
      'never-mail.csv',
      'no-consent.csv',
      'legal_hold.csv',
      'gdpr_erasure.csv',
    ],
    'former_members.csv',
  ];

  test.each(names)('%s stops, unless a flag or a column says who does', async (name) => {
    const at = await setUp();
    const file = at.file(name, 'Email,created_at\nana@example.org,2026-03-01\n');
    const outcome = await at.import(file, '--json');
    expect(outcome).toMatchObject({ exitCode: 2 });
    const { message, hint } = errorOf(outcome);
    expect(message).toContain('by its name, these people may not want email');
    expect(hint).toMatch(/--map unsubscribed=COLUMN(.|\n)*--ignore-file-name$/);
    const sync = ['contact', 'sync', file, '--book', 'Customers', '--yes'];
    expect(await at.run(sync)).toMatchObject({ exitCode: 2 });
    expect(at.changes()).toEqual([]);
    expect(await at.import(file, '--map', 'unsubscribed=created_at')).toMatchObject({
      exitCode: 0,
    });
    expect(at.book()).toEqual({ ana: false });
  });

  test('is imported like others with --ignore-file-name', async () => {
    const at = await setUp();
    const file = at.file('bounces.csv', 'Email\nana@example.org\n');
    expect(await at.import(file, '--ignore-file-name')).toMatchObject({ exitCode: 0 });
    expect(at.book()).toEqual({ ana: true });
  });

  test.each([
    ['customers-without-bounces.csv', 'Email\nana@example.org\n'],
    ['not-unsubscribed.csv', 'Email\nana@example.org\n'],
    ['members-not-spam.csv', 'Email\nana@example.org\n'],
    ['block-b.csv', 'Email\nana@example.org\n'],
    ['customers-excluding-bounces.csv', 'Email\nana@example.org\n'],
    ['duplicates-removed.csv', 'Email\nana@example.org\n'],
    ['exclusive-offers.csv', 'Email\nana@example.org\n'],
    ['resilient-cities.csv', 'Email\nana@example.org\n'],
    ['black-friday.csv', 'Email\nana@example.org\n'],
    ['performer-members.csv', 'Email\nana@example.org\n'],
    ['members.csv', 'Email\nana@example.org\n'],
    ['subscribed_members_export.csv', 'Email\nana@example.org\n'],
    ['unsubscribes.csv', column('Accepts Email Marketing', { ana: 'yes' })],
  ])('does not stop %s', async (name, content) => {
    const at = await setUp();
    expect(await at.import(at.file(name, content))).toMatchObject({ exitCode: 0 });
  });
});

describe('cells under an empty header', () => {
  test.each(['import', 'sync'])('are named by %s, because they are not used', async (command) => {
    const at = await setUp();
    const people = 'Email,,Plan,\nana@example.org,gold,pro,\nben@example.org,,pro,\n';
    const line = [
      'contact',
      command,
      at.file('people.csv', people),
      '--book',
      'Customers',
      '--yes',
    ];
    const { exitCode, stderr } = await at.run(line);
    expect({ exitCode, book: at.book() }).toEqual({ exitCode: 0, book: { ana: true, ben: true } });
    expect(stderr).toContain(
      'Column 2 has no name, so its cells in 1 row are not used, such as "gold" in row 1.',
    );
    expect(stderr).not.toContain('Column 4');
  });

  test.each([
    ['who wants email', 'yes', 'no'],
    ['who wants email, in words', 'subscribed', 'cleaned'],
    ['who wants email, among others', 'vip', 'unsubscribed'],
    ['addresses', 'ana@work.example', ''],
  ])('stop if they may say %s', async (_, first, second) => {
    const at = await setUp();
    const file = at.file(
      'people.csv',
      `Email,\nana@example.org,${first}\nben@example.org,${second}\n`,
    );
    const outcome = await at.import(file, '--json');
    expect(outcome).toMatchObject({ exitCode: 2 });
    expect(errorOf(outcome)).toMatchObject({
      message: expect.stringMatching(
        /column 2 has no name, and may (say who wants|have addresses)/,
      ),
      hint: expect.stringContaining("--ignore-column ''"),
    });
    expect(at.changes()).toEqual([]);
    expect(await at.import(file, '--ignore-column', '')).toMatchObject({ exitCode: 0 });
  });

  test('beside the table are nothing where they are empty', async () => {
    const at = await setUp();
    const file = at.file('people.csv', 'Email,Plan\nana@example.org,pro,,\n');
    expect(await at.import(file)).toMatchObject({ exitCode: 0 });
  });
});
