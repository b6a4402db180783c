import { describe, expect, test } from 'vitest';
import { atTerminal } from '../support/at-terminal.ts';
import { type Connected, connected } from '../support/connected.ts';
import { ctrlD, enter } from '../support/keys.ts';
import type { Step } from '../support/person.ts';
import { startRecorder } from '../support/recorder.ts';
import { createWorld } from '../support/run.ts';
import { domain } from './domain/domains.ts';

const found = { body: [domain(7, 'example.net', { status: 'SUCCESS' })] };
const look = 'GET /api/v1/domains';
/** Nothing uses the domain: no page of campaigns in four statuses, no email. */
const unused = Array(5).fill({ body: { campaigns: [], totalPage: 0, data: [], count: 0 } });

/** The requests that do more than read. */
function writing(requests: () => string[]): string[] {
  return requests().filter((request) => !request.startsWith('GET'));
}

/** Deletes a domain at a terminal, where this is typed at the question. */
async function asked(keys: string) {
  const { run, requests }: Connected = await connected(found, found, ...unused, {
    body: { success: true },
  });
  const answers: Step = [
    'Delete it? (y/N)',
    (text) => {
      expect(text).toContain('domain example.net (id 7)');
      expect(requests().slice(0, 2)).toEqual([look, look]);
      expect(writing(requests)).toEqual([]);
      return keys;
    },
  ];
  return { ...(await atTerminal(run, 'domain delete example.net', [answers])), requests };
}

describe('a confirmation', () => {
  test.each([
    ['no', `n${enter}`],
    ['nothing', enter],
  ])('that is answered with %s sends nothing', async (_, keys) => {
    const { exitCode, text, requests } = await asked(keys);
    expect(exitCode).toBe(2);
    expect(text).toContain('Not confirmed. Nothing was deleted.');
    expect(writing(requests)).toEqual([]);
  });

  test('that is answered with yes', async () => {
    const { exitCode, text, requests } = await asked(`y${enter}`);
    expect(exitCode).toBe(0);
    expect(text).toContain('Deleted domain example.net.');
    expect(writing(requests)).toEqual(['DELETE /api/v1/domains/7']);
  });

  test('breaks its lines between words; ended with Ctrl-D, it sends nothing', async () => {
    const { exitCode, text, requests } = await asked(ctrlD);
    expect(text.replaceAll(/\s+/g, ' ')).toContain(
      'This deletes domain example.net (id 7): it can no longer send, and API keys restricted to it lose the restriction. Unsent campaigns from it: 0; scheduled emails: 0. Delete it?',
    );
    for (const row of text.split('\n')) expect(row.length).toBeLessThanOrEqual(80);
    expect(exitCode).toBe(130);
    expect(text).not.toContain('Warning');
    expect(writing(requests)).toEqual([]);
  });

  test('names the variable that has the key', async () => {
    const { text } = await asked(enter);
    expect(text).toMatch(/^Account: MAILER_API_KEY at 127\.0\.0\.1:\d+$/m);
  });

  test('names the profile and the host; the first of several questions does, too', async () => {
    const service = await startRecorder(
      { body: [] },
      found,
      found,
      ...unused,
      { body: [] },
      { body: { data: [] } },
    );
    const world = createWorld();
    const login = ['login', '--profile', 'work', '--base-url', service.baseUrl, '--with-token'];
    await world.run(login, { stdin: 'us_key_0123456789' });
    const account = `Account: work at ${new URL(service.baseUrl).host}\n`;
    const deletes = await atTerminal(world.run, 'domain delete example.net --profile work', [
      ['Delete it? (y/N)', enter],
    ]);
    expect(deletes.text).toContain(`${account}✔ This deletes domain example.net`);
    const words = 'email send --profile work --from a@example.net';
    const sends = await atTerminal(world.run, words, [
      ['? To', `ana@example.org${enter}`],
      ['? Subject', ctrlD],
    ]);
    expect(sends.text).toMatch(new RegExp(`^${account}✔ To ana@example.org\n[^\n]*Subject`));
  });

  test('of a segment names it, and is not asked if there is none', async () => {
    const body = [{ id: 'seg_1', name: 'Pro' }];
    const { run, requests } = await connected({ body }, { body });
    const absent = await atTerminal(run, 'segment delete Free');
    expect(absent.exitCode).toBe(4);
    expect(absent.text).toContain('There is no segment "Free".');
    const { exitCode } = await atTerminal(run, 'segment delete seg_1', [
      ['This deletes segment Pro (id seg_1); its contacts stay. Delete it? (y/N)', enter],
    ]);
    expect(exitCode).toBe(2);
    expect(requests().map((request) => request.split(' ')[0])).toEqual(['GET', 'GET']);
  });

  test('of @last names what is deleted, not only its id', async () => {
    const id = 'cm3k9x2f8000008l4';
    const body = { id, name: 'Spring news', status: 'DRAFT' };
    const { run, requests } = await connected({ body }, { body }, { body });
    await run('api POST /v1/campaigns -f name=Spring');
    const deletes: Step = [
      `This deletes campaign "Spring news" (${id}, DRAFT) with`,
      () => {
        expect(requests().at(-1)).toMatch(/^GET /);
        return `y${enter}`;
      },
    ];
    const { exitCode } = await atTerminal(run, 'campaign delete @last', [deletes], {
      columns: 200,
    });
    expect(exitCode).toBe(0);
    expect(requests().at(-1)).toBe(`DELETE /api/v1/campaigns/${id}`);
  });
});
