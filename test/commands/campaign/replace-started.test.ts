import { expect, test } from 'vitest';
import { connected } from '../../support/connected.ts';
import type { Answer } from '../../support/recorder.ts';
import { createWorld } from '../../support/run.ts';
import { writesTo } from '../../support/writes.ts';
import { create, get, html, page, summary } from './draft.ts';

// A started campaign that nobody has got: it is paused, replaced by a draft, deleted, and only then does that start.

const id = 'cm3k9x2f8000008l4';
const whole = { contactBookId: 'book_1', html, content: null, replyTo: [] };
const inStatus = (status: string, sent = 0) => ({ body: summary(id, { ...whole, status, sent }) });
const made = { body: summary('camp_new', whole) };
const success = { body: { success: true } };
const contacts = { body: [{ id: 'contact_1', email: 'ana@example.org', subscribed: true }] };
const emails = (...data: readonly object[]) => ({ body: { data, count: data.length } });
const unsent = [inStatus('PAUSED'), contacts, emails()] as const;
const stopped = [inStatus('RUNNING'), success, ...unsent] as const;
const no = { status: 403, body: { error: { code: 'FORBIDDEN', message: 'No' } } };
const replacing = `campaign replace ${id} --subject Other --yes`;

/** The outcome of a replacement, and the requests that change something. */
async function replaced(answers: readonly Answer[], more = '') {
  const { run, service, sent } = await connected(...answers);
  const outcome = await run(`${replacing}${more}`);
  const changes = service.requests.flatMap(({ method, path }) =>
    method === 'GET' ? [] : [`${method} ${path.replace('/api/v1/campaigns', '')}`],
  );
  return { ...outcome, changes, sent };
}

test('one that waits for its time is replaced by one that starts now', async () => {
  const world = createWorld();
  const old = await create(world, 'Spring news', '--scheduled-at', '2026-01-15T12:00:00Z');
  const words = ['campaign', 'replace', 'Spring news', '--subject', 'The news', '--now'];
  const { exitCode, stdout, stderr } = await world.run([...words, '--yes', '--sandbox']);
  expect(stderr).toContain('Sending to 11 contacts.');
  expect(exitCode, stderr).toBe(0);
  expect(stderr).toContain(`Deleted the paused campaign ${old}.`);
  world.clock.advance(60_000);
  expect(await get(world, stdout.trim())).toMatchObject({ subject: 'The news', status: 'SENT' });
  const { stdout: left } = await world.run('campaign list --sandbox --search Spring --quiet');
  expect(left).toBe(stdout);
});

test.each([
  ['', { MAILER_ALLOW_TO: '*@elsewhere.example' }],
  ['', { MAILER_MAX_RECIPIENTS: '2' }],
  ['', { MAILER_CAMPAIGNS: 'off' }],
  [' --expect-contacts 99', {}],
  [' --html <p>{{nosuch}}</p>{{usesend_unsubscribe_url}}', {}],
  [' --book Nobook', {}],
])('nothing is paused or deleted where the new one may not start:%s %j', async (more, env) => {
  const world = createWorld();
  const old = await create(world, 'Spring news', '--scheduled-at', '2026-01-15T12:00:00Z');
  const before = await writesTo(world);
  const words = `campaign replace ${old} --subject Other --now --yes --sandbox${more}`;
  const { exitCode, stderr } = await world.run(words, { env });
  expect([2, 4], stderr).toContain(exitCode);
  expect(await writesTo(world)).toEqual(before);
});

test('one that waits for its time, without a start: the time is said before and after', async () => {
  const world = createWorld({ TZ: 'UTC' });
  await create(world, 'Spring news', '--scheduled-at', '2026-01-15T12:00:00Z');
  const words = ['campaign', 'replace', 'Spring news', '--subject', 'The news', '--sandbox'];
  const at = 'Thu 15 Jan 2026, 12:00';
  const asked = await world.run(words);
  expect(asked.stderr).toContain(`The old one was to start ${at}`);
  expect(asked.stderr).toContain('the new one is a draft. Replace it?');
  const { exitCode, stdout, stderr } = await world.run([...words, '--yes']);
  expect(exitCode, stderr).toBe(0);
  expect(stderr).not.toContain('--now');
  const [line] = /mailer campaign schedule .*/.exec(stderr) ?? [];
  expect(line).toContain(`${stdout.trim()} --scheduled-at 2026-01-15T12:00:00`);
  expect((await world.run(`${line?.replace('mailer ', '')} --yes`)).exitCode).toBe(0);
  expect(await get(world, stdout.trim())).toMatchObject({ status: 'SCHEDULED' });
});

test('without a start, the new one is a draft', async () => {
  const { exitCode, stdout, changes } = await replaced([
    ...stopped,
    made,
    ...unsent,
    inStatus('PAUSED'),
  ]);
  expect({ exitCode, stdout, changes }).toEqual({
    exitCode: 0,
    stdout: 'camp_new\n',
    changes: [`POST /${id}/pause`, 'POST ', `DELETE /${id}`],
  });
});

test('it starts only once the old one is deleted, so that two never run', async () => {
  const [first, ...rest] = stopped;
  const all = [first, page(), ...rest, made, ...unsent, inStatus('PAUSED'), success];
  const { exitCode, stderr, changes, sent } = await replaced(
    all,
    ' --scheduled-at 2026-01-16T10:00Z',
  );
  expect(exitCode, stderr).toBe(0);
  expect(changes).toEqual([
    `POST /${id}/pause`,
    'POST ',
    `DELETE /${id}`,
    'POST /camp_new/schedule',
  ]);
  expect(sent(6)).not.toHaveProperty('scheduledAt');
  expect(sent(11)).toEqual({ scheduledAt: '2026-01-16T10:00:00Z' });
});

test('of one that some have got, nothing changes, and the recipe is named', async () => {
  const { exitCode, stderr, changes } = await replaced([inStatus('RUNNING', 3)]);
  expect({ exitCode, changes }).toEqual({ exitCode: 5, changes: [] });
  expect(stderr).toContain('has been sent to 3 contacts (RUNNING), so it is not replaced');
  expect(stderr).toContain(`To stop it: mailer campaign pause ${id}`);
  expect(stderr).toContain('docs/who-got-what.md, "A campaign that is half sent"');
});

test('one whose counter is not shown is left alone', async () => {
  const { body } = inStatus('RUNNING');
  const { exitCode, changes } = await replaced([{ body: { ...body, sent: null } }]);
  expect({ exitCode, changes }).toEqual({ exitCode: 4, changes: [] });
});

test('if the pause is rejected, nothing is created or deleted', async () => {
  const { exitCode, stderr, changes } = await replaced([inStatus('RUNNING'), no]);
  expect({ exitCode, changes }).toEqual({ exitCode: 3, changes: [`POST /${id}/pause`] });
  expect(stderr).toContain(`Nothing was created or deleted; campaign ${id} may be paused by now.`);
});

test('if it never becomes PAUSED, the wait ends, and nothing is created or deleted', async () => {
  const running = Array.from({ length: 40 }, () => inStatus('RUNNING'));
  const { exitCode, stderr, changes } = await replaced([inStatus('RUNNING'), success, ...running]);
  expect({ exitCode, changes }).toEqual({ exitCode: 10, changes: [`POST /${id}/pause`] });
  expect(stderr).toContain('Nothing was created or deleted');
});

test('if somebody has got it by the time it is paused, nothing is created or deleted', async () => {
  const all = [inStatus('RUNNING'), success, inStatus('PAUSED', 2)];
  const { exitCode, stderr, changes } = await replaced(all);
  expect({ exitCode, changes }).toEqual({ exitCode: 5, changes: [`POST /${id}/pause`] });
  expect(stderr).toContain('has been sent to 2 contacts (PAUSED)');
});

test('emails that its counter does not count yet are found in the list', async () => {
  const email = {
    id: 'email_1',
    from: 'news@example.com',
    to: ['Ana@example.org'],
    subject: 'News',
  };
  const found = [inStatus('RUNNING'), success, inStatus('PAUSED'), contacts, emails(email)];
  const { exitCode, stderr, changes } = await replaced(found);
  expect({ exitCode, changes }).toEqual({ exitCode: 5, changes: [`POST /${id}/pause`] });
  expect(stderr).toContain('is 0, but the service lists emails that look like its own');
});

test('if the new one is rejected, the old one stays paused', async () => {
  const refusal = { status: 400, body: { error: { code: 'BAD_REQUEST', message: 'No' } } };
  const { exitCode, stderr, changes } = await replaced([...stopped, refusal, page(), { body: [] }]);
  expect({ exitCode, changes }).toEqual({ exitCode: 1, changes: [`POST /${id}/pause`, 'POST '] });
  expect(stderr).toContain(`Campaign ${id} is paused, and was not deleted.`);
  expect(stderr).toContain(`mailer campaign resume ${id}`);
});

test('if somebody has got it by the time the draft is there, neither is deleted nor started', async () => {
  const [first, ...rest] = stopped;
  const all = [first, page(), ...rest, made, inStatus('PAUSED', 1)];
  const { exitCode, stderr, changes } = await replaced(all, ' --now');
  expect({ exitCode, changes }).toEqual({ exitCode: 5, changes: [`POST /${id}/pause`, 'POST '] });
  expect(stderr).toContain(`Campaign camp_new was created; ${id} is still there.`);
});

test('if the old one cannot be deleted, the new one does not start', async () => {
  const [first, ...rest] = stopped;
  const all = [first, page(), ...rest, made, ...unsent, no];
  const { exitCode, stderr, changes } = await replaced(all, ' --now');
  expect(exitCode).toBe(3);
  expect(changes).toEqual([`POST /${id}/pause`, 'POST ', `DELETE /${id}`]);
  expect(stderr).toContain(`Campaign camp_new was created; ${id} is still there.`);
  expect(stderr).toContain(`To delete the old one: mailer campaign delete ${id}`);
});

test('if the new one cannot be started, the error says that it is there', async () => {
  const [first, ...rest] = stopped;
  const all = [first, page(), ...rest, made, ...unsent, inStatus('PAUSED'), no];
  const { exitCode, stderr } = await replaced(all, ' --now');
  expect(exitCode).toBe(3);
  expect(stderr).toContain('The old campaign was deleted; the new one is camp_new.');
});
