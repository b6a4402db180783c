import { expect, test } from 'vitest';
import { connected } from '../../support/connected.ts';
import { createWorld } from '../../support/run.ts';

const line = 'email send --to ana@example.org --from hello@example.com --text Hello --template';
/** A service that does not show templates. */
const unread = { status: 404, body: '404 Not Found' };

const template = (id: string, name: string) => ({
  id,
  name,
  subject: `About ${id}`,
  isTest: false,
});

test('a template by its name', async () => {
  const { run, requests, sent } = await connected(
    { body: [template('tmpl_2', 'News'), template('tmpl_1', 'Welcome')] },
    unread,
    { body: { emailId: 'em_1' } },
  );
  expect((await run(`${line} Welcome`)).exitCode).toBe(0);
  expect(requests()).toEqual([
    'GET /api/v1/templates',
    'GET /api/v1/templates/tmpl_1',
    'POST /api/v1/emails',
  ]);
  expect(sent(2)).toMatchObject({ templateId: 'tmpl_1' });
  const words = [...`${line} Welcome --sandbox`.replace('ana@', 'delivered@').split(' ')];
  expect((await createWorld().run(words)).exitCode).toBe(0);
});

test('what looks like an id is one, and is not looked for by name', async () => {
  const { run, requests } = await connected(unread, { body: { emailId: 'em_1' } });
  expect((await run(`${line} tmpl_welcome`)).exitCode).toBe(0);
  expect(requests()).toEqual(['GET /api/v1/templates/tmpl_welcome', 'POST /api/v1/emails']);
});

test.each(['cmkf0y3b4000008l4f2gh1q9z', '0b8f6c1e-52a4-4d0c-9d5e-3f1f2a7b8c9d'])(
  'so is %s',
  async (id) => {
    const { run, requests, sent } = await connected(unread, { body: { emailId: 'em_1' } });
    expect((await run(`${line} ${id}`)).exitCode).toBe(0);
    expect(requests()).toEqual([`GET /api/v1/templates/${id}`, 'POST /api/v1/emails']);
    expect(sent(1)).toMatchObject({ templateId: id });
  },
);

test.each(['welcome', 'order_confirmation', 'news-2026', 't1'])(
  '%s may be a name; without such a template nothing is sent',
  async (name) => {
    const listed = { body: [template('tmpl_1', name)] };
    const { run, requests, sent } = await connected(
      ...[listed, unread, { body: { emailId: 'em_1' } }, listed],
    );
    expect((await run(`${line} ${name}`)).exitCode).toBe(0);
    expect(sent(2)).toMatchObject({ templateId: 'tmpl_1' });
    expect((await run(`${line} goodbye`)).exitCode).toBe(4);
    expect(requests()).toHaveLength(4);
  },
);

test('a service without a list of templates has ids only', async () => {
  const { run, sent } = await connected(unread, unread, { body: { emailId: 'em_1' } });
  expect((await run(`${line} Welcome`)).exitCode).toBe(0);
  expect(sent(2)).toMatchObject({ templateId: 'Welcome' });
});

test('of a name that two have it is the newest; a name of none is an error', async () => {
  const older = { ...template('t1', 'Welcome'), createdAt: '2026-01-01T00:00:00.000Z' };
  const newer = { ...template('t2', 'Welcome'), createdAt: '2026-01-02T00:00:00.000Z' };
  const two = await connected({ body: [older, newer] }, unread, { body: { emailId: 'em_1' } });
  expect((await two.run(`${line} Welcome`)).exitCode).toBe(0);
  expect(two.sent(2)).toMatchObject({ templateId: 't2' });
  const none = await connected({ body: [template('t1', 'Welcome')] });
  expect(await none.run(`${line} Goodbye`)).toEqual({
    exitCode: 4,
    stdout: '',
    stderr:
      'Error: There is no template "Goodbye". Nothing was sent.\nHint: To list the templates: mailer template list\n',
  });
  expect(none.requests()).toEqual(['GET /api/v1/templates']);
});

test('--dry-run looks nothing up', async () => {
  const { exitCode, stdout } = await createWorld().run(`${line} Welcome --dry-run --json`);
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout).body).toMatchObject({ templateId: 'Welcome' });
});
