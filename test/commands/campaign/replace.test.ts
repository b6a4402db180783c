import { describe, expect, test } from 'vitest';
import { connected } from '../../support/connected.ts';
import { createWorld } from '../../support/run.ts';
import { create, get, html, page, summary } from './draft.ts';

const id = 'cm3k9x2f8000008l4';
const draft = summary(id, { contactBookId: 'book_1', html, content: null, replyTo: [] });
const made = { body: { ...draft, id: 'camp_new' } };
const gone = { status: 404, body: { error: { code: 'NOT_FOUND', message: 'Campaign not found' } } };

test('the new draft has what is given, and otherwise what the old one had', async () => {
  const world = createWorld();
  const more = ['--cc', 'boss@example.org', '--preview-text', 'Soon', '--batch-size', '7'];
  const old = await create(world, 'Spring news', ...more);
  const words = ['campaign', 'replace', 'Spring news', '--subject', 'The news', '--sandbox'];
  const asked = await world.run(words);
  expect(asked).toMatchObject({ exitCode: 2, stdout: '' });
  expect(asked.stderr).toContain(`deletes the draft "Spring news" (${old}). Replace it?`);
  const { exitCode, stdout, stderr } = await world.run([...words, '--yes']);
  expect(exitCode, stderr).toBe(0);
  const { stdout: left } = await world.run('campaign list --sandbox --search Spring --quiet');
  expect(left).toBe(stdout);
  expect(stderr).toContain(`Deleted the draft ${old}.`);
  expect(stderr).not.toContain('\\n');
  expect(await get(world, stdout.trim())).toMatchObject({
    ...{ name: 'Spring news', subject: 'The news', from: 'news@example.com', status: 'DRAFT' },
    ...{ html, cc: ['boss@example.org'], previewText: 'Soon', batchSize: 7 },
  });
});

test('a name that could be an id is looked up in full', async () => {
  const world = createWorld();
  const old = await create(world, 'launch2026');
  const { exitCode, stdout, stderr } = await world.run(
    'campaign replace launch2026 --subject Other --sandbox --yes',
  );
  expect(exitCode, stderr).toBe(0);
  expect(stderr).toContain(`Deleted the draft ${old}.`);
  expect(await get(world, stdout.trim())).toMatchObject({ name: 'launch2026', subject: 'Other' });
});

test('creates before it deletes, and looks again in between', async () => {
  const { run, service } = await connected({ body: draft }, made, { body: draft }, { body: draft });
  expect(await run(`campaign replace ${id} --subject Other --yes`)).toMatchObject({ exitCode: 0 });
  expect(service.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
    `GET /api/v1/campaigns/${id}`,
    'POST /api/v1/campaigns',
    `GET /api/v1/campaigns/${id}`,
    `DELETE /api/v1/campaigns/${id}`,
  ]);
});

test('a new text takes the place of both forms of the old one', async () => {
  const both = { body: { ...draft, content: '{"type":"doc"}' } };
  const { run, sent } = await connected(both, made, both, both);
  const text = '<p>New {{usesend_unsubscribe_url}}</p>';
  await run(['campaign', 'replace', id, '--html', text, '--yes']);
  expect(sent(1)).toMatchObject({ html: text, contactBookId: 'book_1' });
  expect(sent(1)).not.toHaveProperty('content');
});

test('a start whose response was lost is not repeated, because everybody would get it twice', async () => {
  const started = summary('camp_2', { status: 'RUNNING' });
  const { run, service } = await connected({ body: draft }, page(draft, started));
  const { exitCode, stderr } = await run(`campaign replace ${id} --subject Other --now --yes`);
  expect(exitCode).toBe(5);
  expect(stderr).toContain('Campaign camp_2 has the same name and is RUNNING');
  expect(service.requests.map(({ method }) => method)).toEqual(['GET', 'GET']);
});

test('an older campaign of the same name does not prevent a start', async () => {
  const { run, service } = await connected(
    { body: draft },
    page(draft, summary('camp_2', { status: 'SENT', createdAt: '2026-01-10T09:59:00.000Z' })),
    { body: { id: 'book_1', name: 'Book', _count: { contacts: 1 } } },
    { body: [] },
    made,
    { body: draft },
    { body: draft },
  );
  await run(`campaign replace ${id} --subject Other --now --yes`);
  expect(service.requests.map(({ method }) => method)).toContain('POST');
});

describe('nothing is deleted', () => {
  const deletes = (requests: readonly { readonly method: string }[]) =>
    requests.filter(({ method }) => method === 'DELETE');

  test('if it has been sent', async () => {
    const { run, service } = await connected({ body: { ...draft, status: 'SENT' } });
    const { exitCode, stderr } = await run(`campaign replace ${id} --subject Other --yes`);
    expect({ exitCode, count: service.requests.length }).toEqual({ exitCode: 5, count: 1 });
    expect(stderr).toContain('has been sent (SENT), so it is not replaced');
  });

  test('if the new one is rejected', async () => {
    const refusal = { status: 400, body: { error: { code: 'BAD_REQUEST', message: 'No' } } };
    const { run, service } = await connected({ body: draft }, refusal, page(), { body: [] });
    const { exitCode } = await run(`campaign replace ${id} --subject Other --yes`);
    expect(exitCode).not.toBe(0);
    expect(deletes(service.requests)).toEqual([]);
  });

  test('if somebody has started it by then: both are named', async () => {
    const running = { body: { ...draft, status: 'RUNNING' } };
    const { run, service } = await connected({ body: draft }, made, running);
    const { exitCode, stderr } = await run(`campaign replace ${id} --subject Other --yes`);
    expect(exitCode).toBe(5);
    expect(stderr).toContain(`Campaign camp_new was created; ${id} is still there.`);
    expect(deletes(service.requests)).toEqual([]);
  });

  test('if the service shows only a part of it', async () => {
    const { run, service } = await connected({ body: summary(id) });
    expect(await run(`campaign replace ${id} --subject Other --yes`)).toMatchObject({
      exitCode: 4,
    });
    expect(service.requests).toHaveLength(1);
  });
});

test('if the service says that it is in use by then, the error names both', async () => {
  const no = { status: 409, body: { error: { code: 'NOT_UNIQUE', message: 'It is running' } } };
  const { run } = await connected({ body: draft }, made, { body: draft }, no);
  const { exitCode, stderr } = await run(`campaign replace ${id} --subject Other --yes`);
  expect(exitCode).toBe(5);
  expect(stderr).toContain(`Campaign camp_new was created; ${id} is still there.`);
});

test('if the draft cannot be deleted, the error names both, and the command that deletes it', async () => {
  const no = { status: 403, body: { error: { code: 'FORBIDDEN', message: 'No' } } };
  const { run } = await connected({ body: draft }, made, { body: draft }, no);
  const { exitCode, stderr } = await run(`campaign replace ${id} --subject Other --yes`);
  expect(exitCode).not.toBe(0);
  expect(stderr).toContain('Campaign camp_new was created');
  expect(stderr).toContain(`mailer campaign delete ${id}`);
});

test('a draft that is gone by then is replaced', async () => {
  const { run } = await connected({ body: draft }, made, gone);
  const outcome = await run(`campaign replace ${id} --subject Other --yes`);
  expect(outcome).toMatchObject({ exitCode: 0, stdout: 'camp_new\n' });
  expect(outcome.stderr).toContain(`The draft ${id} was gone already.\n`);
});

test('a draft that disappears between the last look and its deletion is replaced', async () => {
  const { run } = await connected({ body: draft }, made, { body: draft }, gone);
  const outcome = await run(`campaign replace ${id} --subject Other --yes`);
  expect(outcome).toMatchObject({ exitCode: 0, stdout: 'camp_new\n' });
  expect(outcome.stderr).toContain(`The draft ${id} was gone already.\n`);
  expect(outcome.stderr).not.toContain('still there');
});
