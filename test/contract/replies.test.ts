import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { connected, fileIn } from '../support/connected.ts';
import { asksForStanding } from '../support/recorder.ts';

/**
 * Replies written by hand from the specification's tables and the responses of live servers. None
 * of them comes from this program's own schemas.
 */
interface Case {
  readonly name: string;
  /** Method and path that the command must request. */
  readonly operation: string;
  readonly command: readonly string[];
  /** The command's first request, with its reply. */
  readonly before?: { readonly operation: string; readonly reply: unknown };
  readonly reply: unknown;
  /** What people must see of it in every kind of output. */
  readonly shows: readonly string[];
}

const folder = new URL('fixtures/', import.meta.url);
const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
const batch = ['a@example.org', 'b@example.org'].map((to) => ({
  ...{ to, from: 'hello@example.com', subject: 'Hi', text: 'Hello' },
}));

function casesOf(file: string): readonly Case[] {
  // The fixtures are written in this shape; a test with another one fails.
  return (JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as { cases: Case[] }).cases;
}

/** Runs the command at a service with this reply. */
async function replay(
  { command, before, reply, operation }: Case,
  flags: readonly string[],
  terminal?: number,
) {
  const replies = before === undefined ? [reply] : [before.reply, reply];
  const answers = replies.map((one) => ({
    ...{ body: JSON.stringify(one), headers: jsonType },
    ...(asksForStanding(operation) ? { standing: true as const } : {}),
  }));
  const setup = await connected(...answers);
  fileIn(setup.world, 'batch.json', batch);
  const options = terminal === undefined ? {} : { terminal };
  const outcome = await setup.run([...command, ...flags], options);
  return { ...outcome, requests: setup.service.requests };
}

const jsonType = { 'content-type': 'application/json' };
/** What values look like that were printed without being formatted. */
const unreadable = /undefined|\[object|NaN|Invalid Date|\bnull\b/;

describe.each(files)('%s', (file) => {
  test.each(casesOf(file))('$name', async (one) => {
    const json = await replay(one, ['--json']);
    expect(json.exitCode).toBe(0);
    // A query may escape `@` or not.
    const plain = (operation: string) => operation.replaceAll('%40', '@');
    const asked = json.requests.map(({ method, path }) => plain(`${method} ${withoutApi(path)}`));
    const needed = [
      ...(one.before === undefined ? [] : [plain(one.before.operation)]),
      plain(one.operation),
    ];
    expect(asked.slice(0, needed.length)).toEqual(needed);
    // What became of a resumed campaign is looked up for the message, and so are the properties of a segment.
    const later = new Set(asked.slice(needed.length));
    expect([...later]).toEqual(
      one.operation.endsWith('/resume')
        ? [one.operation.replace(/^POST (.*)\/resume$/, 'GET $1')]
        : one.operation === 'POST /v1/segments'
          ? ['GET /v1/contactBooks/book_1/contacts']
          : [],
    );
    expect(JSON.parse(json.stdout)).toEqual(one.reply);

    const piped = await replay(one, []);
    expect(piped.exitCode).toBe(0);
    expect(piped.stdout).not.toMatch(unreadable);
    for (const words of one.shows) expect(piped.stdout).toContain(words);

    for (const terminal of [80, 160]) {
      const shown = await replay(one, ['--no-color'], terminal);
      expect(shown.exitCode).toBe(0);
      expect(shown.stdout + shown.stderr).not.toMatch(unreadable);
      for (const line of shown.stdout.split('\n')) {
        expect(line.length).toBeLessThanOrEqual(terminal);
      }
      if (terminal === 160) for (const words of one.shows) expect(shown.stdout).toContain(words);
    }

    const quiet = await replay(one, ['-q']);
    expect(quiet.exitCode).toBe(0);
    expect(quiet.stdout).not.toMatch(unreadable);
  });
});

test('there is a response for each of the 18 operations of the specification, and others', () => {
  const replayed = files.flatMap(casesOf).map(({ operation }) => placeholders(operation));
  expect(new Set(replayed)).toEqual(
    new Set([
      'POST /v1/emails',
      'POST /v1/emails/batch',
      'GET /v1/emails/{emailId}',
      'GET /v1/emails',
      'PATCH /v1/emails/{emailId}',
      'POST /v1/emails/{emailId}/cancel',
      'POST /v1/campaigns',
      'GET /v1/campaigns',
      'POST /v1/campaigns/{campaignId}/schedule',
      'POST /v1/campaigns/{campaignId}/resume',
      'DELETE /v1/campaigns/{campaignId}',
      'PATCH /v1/contactBooks/{contactBookId}/contacts/{contactId}',
      'DELETE /v1/contactBooks/{contactBookId}/contacts/{contactId}',
      'DELETE /v1/contactBooks/{contactBookId}',
      'GET /v1/domains',
      'PUT /v1/domains/{id}/verify',
      'DELETE /v1/domains/{id}',
      'GET /v1/reputation/events',
      'GET /v1/domains/{id}',
      'GET /v1/campaigns/{campaignId}',
      'POST /v1/domains',
      'POST /v1/campaigns/{campaignId}/pause',
      'GET /v1/analytics/email-time-series',
      'GET /v1/analytics/reputation-metrics',
      'GET /v1/reputation/status',
      'GET /v1/reputation/timeseries',
      'GET /v1/reputation/bounce-breakdown',
      'GET /v1/segments',
      'POST /v1/segments',
      'POST /v1/events/send',
      'GET /v1/contactBooks',
      'GET /v1/contactBooks/{contactBookId}',
      'POST /v1/contactBooks',
      'PATCH /v1/contactBooks/{contactBookId}',
      'GET /v1/contactBooks/{contactBookId}/contacts',
      'GET /v1/contactBooks/{contactBookId}/contacts/{contactId}',
      'GET /v1/templates',
      'GET /v1/templates/{templateId}',
      'POST /v1/templates',
    ]),
  );
});

function withoutApi(path: string): string {
  return path.replace(/^\/api(?=\/v1\/)/, '');
}

function placeholders(operation: string): string {
  return operation
    .replace(/\?.*$/, '')
    .replace('em_1', '{emailId}')
    .replace('camp_1234', '{campaignId}')
    .replace('book_1', '{contactBookId}')
    .replace('contact_1', '{contactId}')
    .replace(/tmpl_\d/, '{templateId}')
    .replace(/domains\/\d+/, 'domains/{id}');
}
