import { expect, test } from 'vitest';
import { connected, errorOf } from '../../support/connected.ts';
import { createWorld } from '../../support/run.ts';

const words = ['template', 'create', '--name', 'Receipt', '--subject', 'Order {{number}}'];
const reply = { id: 'tmpl_9', name: 'Receipt', subject: 'Order {{number}}', novel: 1 };

test('creates it, and an email can be sent with it by @last', async () => {
  const world = createWorld();
  const { stdout, stderr } = await world.run([...words, '--html', '<p>Hi</p>', '--sandbox']);
  const id = stdout.trim();
  expect(stderr).toBe(
    `Created template Receipt. To send it: mailer email send --template ${id} --sandbox\n`,
  );
  const send = await world.run([
    ...['email', 'send', '--to', 'ana@example.org', '--from', 'hello@example.com', '--text', 'Hi'],
    ...['--template', '@last', '--var', 'number=7', '--sandbox'],
  ]);
  const email = await world.run(`email get ${send.stdout.trim()} --sandbox --fields subject -q`);
  expect(email.stdout).toBe('Order 7\n');
});

test('one request; --json is the unmodified response', async () => {
  const { run, requests, sent } = await connected({ body: reply });
  const { stdout } = await run([...words, '--html', '<p>Hi</p>', '--json']);
  expect(JSON.parse(stdout)).toEqual(reply);
  expect(requests()).toEqual(['POST /api/v1/templates']);
  expect(sent()).toEqual({ name: 'Receipt', subject: 'Order {{number}}', html: '<p>Hi</p>' });
});

test('HTML or the document of the editor from a file', async () => {
  const { run, file, sent } = await connected({ body: reply }, { body: reply });
  await run([...words, '--html-file', file('a.html', '<p>File</p>\n')]);
  expect(sent()).toMatchObject({ html: '<p>File</p>\n' });
  await run([...words, '--content-file', file('a.json', '{"type":"doc"}')]);
  expect(sent(1)).toEqual({
    ...{ name: 'Receipt', subject: 'Order {{number}}', content: '{"type":"doc"}' },
  });
});

test.each([
  [['template', 'create'], 'Missing --name, --subject, --html'],
  [[...words, '--html', 'x', '--content', 'y'], '--html and --content cannot be used together'],
  [['template', 'create', '--name', 'A', '--subject', 'a\nb', '--html', 'x'], '--subject: must'],
])('%j: 2, and nothing is sent', async (line, message) => {
  const { run, requests } = await connected();
  const { exitCode, stderr } = await run(line);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(message);
  expect(requests()).toEqual([]);
});

test('--dry-run prints the request and needs no key', async () => {
  const { exitCode, stdout } = await createWorld().run([
    ...[...words, '--html', '<p>Hi</p>', '--dry-run', '--json'],
  ]);
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    method: 'POST',
    url: '{base_url}/v1/templates',
    body: { name: 'Receipt', html: '<p>Hi</p>' },
  });
});

test('a create whose response is lost is not repeated, and the error says so', async () => {
  const { run, requests } = await connected((response) => response.destroy());
  const outcome = await run([...words, '--html', 'x', '--json']);
  expect(outcome.exitCode).toBe(7);
  expect(errorOf(outcome).hint).toBe(
    'It may have been created. Check before you create it again:\nmailer template list',
  );
  expect(requests()).toHaveLength(1);
});

test('the sandbox rejects content that is no document of the editor', async () => {
  const outcome = await createWorld().run([...words, '--content', 'x', '--sandbox', '--json']);
  expect([outcome.exitCode, errorOf(outcome).code]).toEqual([1, 'rejected']);
});
