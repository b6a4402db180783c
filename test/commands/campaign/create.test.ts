import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { connected } from '../../support/connected.ts';
import { createWorld } from '../../support/run.ts';
import { createWords, get, html, summary } from './draft.ts';

const atOnce = /^Sent at once: Thu 1 Jan 2026, .* is in the past\.\n$/;

const required = [
  ...[
    'campaign',
    'create',
    '--allow-duplicate',
    '--name',
    'Spring news',
    '--from',
    'news@example.com',
  ],
  ...['--subject', 'News', '--book', 'book_customers', '--html', html, '--yes'],
];
const requiredBody = {
  name: 'Spring news',
  from: 'news@example.com',
  subject: 'News',
  contactBookId: 'book_customers',
  html,
};

test('creates a draft: the id on stdout, the next step on stderr', async () => {
  const world = createWorld();
  const { exitCode, stdout, stderr } = await world.run(createWords('Spring news'));
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^c[a-z0-9]{24}\n$/);
  const id = stdout.trim();
  expect(stderr).toBe(
    `Created campaign Spring news as a draft. To start it: mailer campaign schedule ${id} --now --sandbox\n`,
  );
  expect(await get(world, id)).toMatchObject({ name: 'Spring news', status: 'DRAFT' });
});

test('--json is the response of the service, unknown fields included', async () => {
  const reply = { ...summary('camp_1'), batchSize: 500, novel: { kept: [1] } };
  const { world } = await connected({ body: reply });
  const { stdout } = await world.run([...required, '--json']);
  expect(JSON.parse(stdout)).toEqual(reply);
});

test('every flag is sent as the field of the specification', async () => {
  const { world, service, sent } = await connected({ body: summary('camp_1') });
  const { exitCode } = await world.run([
    ...required,
    ...['--preview-text', 'In short', '--content', '{"type":"doc"}', '--batch-size', '250'],
    ...['--reply-to', 'Ana <ana@example.com>', '--cc', 'b@example.com,"C, D" <c@example.com>'],
    ...['--bcc', 'd@example.com', '--bcc', 'e@example.com', '--scheduled-at', 'tomorrow 9am'],
  ]);
  expect(exitCode).toBe(0);
  expect(service.requests).toHaveLength(1);
  const [request] = service.requests;
  expect(request).toMatchObject({ method: 'POST', path: '/api/v1/campaigns' });
  expect(request?.headers).toMatchObject({
    authorization: 'Bearer us_key_1234567890',
    'content-type': 'application/json',
  });
  expect(request?.headers['idempotency-key']).toBeUndefined();
  expect(sent(0)).toEqual({
    ...requiredBody,
    previewText: 'In short',
    content: '{"type":"doc"}',
    batchSize: 250,
    replyTo: 'Ana <ana@example.com>',
    cc: ['b@example.com', '"C, D" <c@example.com>'],
    bcc: ['d@example.com', 'e@example.com'],
    scheduledAt: '2026-01-16T09:00:00Z',
  });
});

test('--now starts it', async () => {
  const world = createWorld();
  const { stdout, stderr } = await world.run(createWords('Spring news', '--now'));
  const id = stdout.trim();
  expect(stderr).toBe(
    `Sending to 11 contacts. To follow it: mailer campaign watch ${id} --sandbox\n`,
  );
  expect((await get(world, id)).status).not.toBe('DRAFT');
});

test.each(['--now', '--send-now'])('%s sends sendNow: true', async (flag) => {
  const { world, sent } = await connected({ body: summary('camp_1') });
  await world.run([...required, flag]);
  expect(sent(0)).toEqual({ ...requiredBody, sendNow: true });
});

test('--scheduled-at is shown local and UTC, and sent as UTC', async () => {
  const world = createWorld();
  const { stderr, stdout } = await world.run(
    createWords('Spring news', '--scheduled-at', 'tomorrow 9am', '--timezone', 'Europe/Berlin'),
  );
  expect(stderr).toBe('Scheduled for Fri 16 Jan 2026, 09:00 GMT+1 (2026-01-16T08:00:00Z).\n');
  expect(await get(world, stdout.trim())).toMatchObject({
    status: 'SCHEDULED',
    scheduledAt: '2026-01-16T08:00:00.000Z',
  });
});

test('--file is the request, flags override it, and its time becomes exact', async () => {
  const { world, sent } = await connected({ body: summary('camp_1') });
  const file = {
    ...requiredBody,
    subject: 'Old',
    scheduledAt: 'in 2 hours',
    replyTo: ['r@example.com'],
  };
  writeFileSync(join(world.home, 'march.json'), JSON.stringify(file));
  await world.run(
    'campaign create --allow-duplicate --file march.json --subject New --cc c@example.com --yes',
  );
  expect(sent(0)).toEqual({
    ...requiredBody,
    subject: 'New',
    cc: 'c@example.com',
    replyTo: ['r@example.com'],
    scheduledAt: '2026-01-15T12:00:00Z',
  });
});

test('--html-file and --content-file read files and stdin', async () => {
  const { world, sent } = await connected({ body: summary('camp_1') });
  writeFileSync(join(world.home, 'body.html'), html);
  await world.run([...required.slice(0, -3), '--html-file', 'body.html', '--content-file', '-'], {
    stdin: '{"type":"doc"}',
  });
  expect(sent(0)).toMatchObject({ html, content: '{"type":"doc"}' });
});

test('sender and reply address come from the settings without flag and file', async () => {
  const { world, sent } = await connected({ body: summary('camp_1') }, { body: summary('camp_2') });
  await world.run(['config', 'set', 'from', 'set@example.com']);
  await world.run(['config', 'set', 'reply-to', 'a@example.com, b@example.com']);
  const words = required.filter((word) => word !== '--from' && word !== 'news@example.com');
  await world.run(words);
  expect(sent(0)).toEqual({
    ...requiredBody,
    from: 'set@example.com',
    replyTo: ['a@example.com', 'b@example.com'],
  });
  await world.run([...required, '--reply-to', 'c@example.com']);
  expect(sent(1)).toEqual({ ...requiredBody, replyTo: 'c@example.com' });
});

test.each([
  ['--batch-size 0', '--batch-size: "0" is not a whole number from 1 to 100000'],
  ['--batch-size 100001', '--batch-size: "100001" is not a whole number from 1 to 100000'],
  ['--batch-size 10abc', '--batch-size: "10abc" is not a whole number from 1 to 100000'],
  ['--from nobody', '--from: "nobody" is not an email address'],
  ['--cc nobody', '--cc: "nobody" is not an email address'],
  ['--scheduled-at yesterday', 'is in the past'],
  ['--scheduled-at gibberish', '--scheduled-at: "gibberish" is not a time'],
  ['--now --scheduled-at tomorrow', '--now and --scheduled-at cannot be used together'],
  ['--html-file missing.html', '--html and --html-file cannot be used together'],
  ['--name Twice', '--name <text> was given 2 times'],
  ['--file missing.json', '--file: missing.json does not exist'],
])('%s is a usage error, and nothing is sent', async (flags, message) => {
  const { world, service } = await connected();
  const words = flags.startsWith('--from')
    ? required.filter((word) => word !== '--from' && word !== 'news@example.com')
    : required;
  const { exitCode, stdout, stderr } = await world.run([...words, ...flags.split(' ')]);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toContain(message);
  expect(service.requests).toHaveLength(0);
});

test.each([
  [{ nmae: 'x' }, 'unknown field "nmae"'],
  [{ batchSize: '500' }, '--file: batchSize: must be a number'],
  [{ sendNow: true, scheduledAt: 'tomorrow' }, '--file: sendNow and --file: scheduledAt cannot be'],
])('an invalid --file is an error that names the problem: %j', async (fields, message) => {
  const { world, service } = await connected();
  const { exitCode, stderr } = await world.run('campaign create --file -', {
    stdin: JSON.stringify({ ...requiredBody, ...fields }),
  });
  expect(exitCode).toBe(2);
  expect(stderr).toContain(message);
  expect(service.requests).toHaveLength(0);
});

test('a misspelt field in --file is named, with the known fields, and not as missing', async () => {
  const { contactBookId, ...others } = requiredBody;
  const { exitCode, stderr } = await createWorld().run('campaign create --file - --json', {
    stdin: JSON.stringify({ ...others, contactbookId: contactBookId, nmae: 'x' }),
  });
  expect(exitCode).toBe(2);
  expect(JSON.parse(stderr).error).toEqual({
    code: 'usage',
    message: '--file: unknown field "contactbookId", "nmae"',
    hint: expect.stringMatching(/^Fields: name, from, subject, contactBookId, .*batchSize$/),
  });
});

test('names every missing flag at once, empty ones included', async () => {
  const { stderr, exitCode } = await createWorld().run([
    ...['campaign', 'create', '--sandbox', '--name', '', '--json'],
  ]);
  expect(exitCode).toBe(2);
  expect(JSON.parse(stderr).error).toMatchObject({
    code: 'usage',
    message: 'Missing --name, --from, --subject, --book, --html',
    hint: 'Instead of --html, you can use --html-file, --markdown-file, --mjml-file, --react-email or --content.',
  });
});

test('--dry-run needs no key and shows the exact request', async () => {
  const { stdout, stderr, exitCode } = await createWorld().run([
    ...[...required, '--scheduled-at', 'in 1 hour', '--dry-run', '--json'],
  ]);
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    method: 'POST',
    url: '{base_url}/v1/campaigns',
    body: { ...requiredBody, scheduledAt: '2026-01-15T11:00:00Z' },
  });
  expect(stderr).toBe(
    `--scheduled-at: "in 1 hour" means Thu 15 Jan 2026, 11:00 GMT (2026-01-15T11:00:00Z), by this machine's clock.\nDry run: nothing was sent.\n`,
  );
});

test('--allow-past lets the time be in the past', async () => {
  const { world, sent } = await connected({ body: summary('camp_1') });
  const words = [...required, '--scheduled-at', '2026-01-01T00:00:00Z', '--allow-past'];
  expect((await world.run(words)).stderr).toMatch(atOnce);
  expect(sent(0).scheduledAt).toBe('2026-01-01T00:00:00Z');
});

test('a rejection without a second step: 1, and no look-up of a draft', async () => {
  const refusal = { error: { code: 'BAD_REQUEST', message: 'Domain example.com is not verified' } };
  const books = [{ id: 'book_customers', name: 'Customers' }];
  const answers = [{ status: 400, body: refusal }, { body: books }, { body: [] }];
  const { world, service } = await connected(...answers);
  const { exitCode, stderr } = await world.run(required);
  expect(exitCode).toBe(1);
  expect(stderr).toContain('Error: Domain example.com is not verified\n');
  const asked = service.requests.map(({ method, path }) => `${method} ${path}`);
  expect(asked).toEqual([
    'POST /api/v1/campaigns',
    'GET /api/v1/contactBooks',
    'GET /api/v1/domains',
  ]);
});
