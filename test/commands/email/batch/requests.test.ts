import { describe, expect, test } from 'vitest';
import { keys, repeat, rowsIn } from '../../../support/batch-run.ts';
import { acceptAny, emailsIn } from '../../../support/batch-service.ts';
import {
  type Connected,
  connected,
  connectedWithoutTemplates,
} from '../../../support/connected.ts';

const line = ['email', 'batch', 'rows.jsonl', '--yes', '--concurrency', '1'];

interface Row {
  readonly to: string;
  readonly [field: string]: unknown;
}

/** A service that accepts everything, and a file with these fields for p1, p2, … */
async function setUp(...fields: readonly Record<string, unknown>[]): Promise<Connected> {
  const setup = await connectedWithoutTemplates(...repeat(3000, acceptAny));
  const lines = fields.map((own, index) =>
    JSON.stringify({
      ...{ to: `p${index + 1}@example.org`, from: 'a@b.example', subject: 'S', text: 'T' },
      ...own,
    }),
  );
  setup.file('rows.jsonl', lines.join('\n'));
  return setup;
}

/** The emails of each request, or the email itself if it is sent alone. */
function sentRows({ service }: Connected): (Row | Row[])[] {
  return service.requests.map(({ body }) => JSON.parse(body));
}

const templatesIn = (emails: readonly Row[]) =>
  new Set(emails.map(({ templateId }) => templateId)).size;

describe('emails of different stored templates', () => {
  test('and those without one share no request, and are shown in the order of the file', async () => {
    const fields = Array.from({ length: 650 }, (_, index) => {
      const templateId = ['one', 'two', undefined][index % 3];
      return templateId === undefined ? {} : { templateId };
    });
    const setup = await setUp(...fields);
    const { exitCode, stdout } = await setup.run([...line, '--jsonl']);
    expect(exitCode).toBe(0);
    const requests = setup.service.requests.map((request) => emailsIn(request));
    expect(requests.map((emails) => templatesIn(emails))).toEqual(repeat(9, 1));
    expect(requests.map(({ length }) => length).toSorted((a, b) => a - b)).toEqual([
      ...[16, 17, 17],
      ...repeat(6, 100),
    ]);
    expect(requests.flat().map(({ to }) => to)).toHaveLength(650);
    expect(rowsIn(stdout)).toEqual(
      fields.map((_, index) => ({
        row: index + 1,
        to: `p${index + 1}@example.org`,
        emailId: `em_p${index + 1}@example.org`,
      })),
    );
  });

  test('are sent in the order of their first rows, whether rows in between are left out or not', async () => {
    const setup = await setUp(
      { templateId: 'one' },
      ...repeat(120, { templateId: 'two' }),
      { to: 'nobody' },
      { templateId: 'one' },
      { to: 'p5@example.org', templateId: 'two' },
    );
    const flags = ['--skip-invalid', '--unique', '--jsonl'];
    const { exitCode, stdout } = await setup.run([...line, ...flags]);
    expect(exitCode).toBe(11);
    const [first, second] = setup.service.requests.map((request) => emailsIn(request));
    expect(first?.map(({ to }) => to)).toEqual(['p1@example.org', 'p123@example.org']);
    expect(second?.[0]?.to).toBe('p2@example.org');
    const rows = rowsIn(stdout);
    expect(rows.map(({ row }) => row)).toEqual(rows.map((_, index) => index + 1));
    expect(rows.filter(({ error }) => error).map(({ row }) => row)).toEqual([122, 124]);
  });

  test('more in turn than are collected at the same time are sent too, each row once', async () => {
    const setup = await setUp(
      ...Array.from({ length: 310 }, (_, index) => ({ templateId: `t${index % 300}` })),
    );
    const { exitCode, stdout } = await setup.run([...line, '--jsonl']);
    expect(exitCode).toBe(0);
    const requests = setup.service.requests.map((request) => emailsIn(request));
    expect(requests.every((emails) => templatesIn(emails) === 1)).toBe(true);
    expect(requests.flat()).toHaveLength(310);
    expect(rowsIn(stdout).map(({ row }) => row)).toEqual(
      Array.from({ length: 310 }, (_, index) => index + 1),
    );
  });

  test('are asked about by the number of requests, and shards take each row once', async () => {
    const fields = Array.from({ length: 900 }, (_, index) => ({ templateId: `t${index % 4}` }));
    const setup = await setUp(...fields);
    const asked = await setup.run(line.filter((word) => word !== '--yes'));
    expect(asked.stderr).toContain('Send 900 emails in 12 requests?');
    for (const shard of ['1/3', '2/3', '3/3']) {
      expect(await setup.run([...line, '--shard', shard])).toMatchObject({ exitCode: 0 });
    }
    const sent = setup.service.requests.flatMap((request) => emailsIn(request));
    expect(new Set(sent.map(({ to }) => to)).size).toBe(900);
    expect(sent).toHaveLength(900);
  });
});

describe('replies', () => {
  const reply = { inReplyToId: 'em_before' };

  test('go out one by one, as a batch loses what they reply to, each under its own key', async () => {
    const setup = await setUp({}, reply, {}, reply, {});
    const { exitCode, stdout, stderr } = await setup.run([...line, '--jsonl']);
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
    expect(setup.requests()).toEqual([
      'POST /api/v1/emails/batch',
      'POST /api/v1/emails',
      'POST /api/v1/emails',
    ]);
    const [batch, ...alone] = sentRows(setup);
    expect(batch).toMatchObject([1, 3, 5].map((row) => ({ to: `p${row}@example.org` })));
    expect(alone).toEqual(
      [2, 4].map((row) => ({
        ...{ to: `p${row}@example.org`, from: 'a@b.example', subject: 'S', text: 'T' },
        ...reply,
      })),
    );
    expect(new Set(keys(setup)).size).toBe(3);
    expect(rowsIn(stdout).map(({ row, emailId }) => [row, emailId])).toEqual(
      [1, 2, 3, 4, 5].map((row) => [row, `em_p${row}@example.org`]),
    );
  });

  test('are reported before the run, and --dry-run shows what is sent', async () => {
    const setup = await setUp(reply, {}, reply);
    const shown = await setup.run('email batch rows.jsonl --dry-run');
    expect(shown.exitCode).toBe(0);
    expect(shown.stdout).toContain('POST');
    expect(shown.stdout).toMatch(/\/v1\/emails\n/);
    expect(shown.stderr).toContain(
      '2 rows are replies and are sent individually, because the service drops inReplyToId in a batch.\nThe first of 3 requests.',
    );
    const { stderr } = await setup.run(line);
    expect(stderr).toContain('2 rows are replies and are sent individually');
    expect((await setup.run([...line, '--again=2', '--quiet'])).stderr).toBe('');
  });

  test('by --in-reply-to, too', async () => {
    const setup = await connected(...repeat(9, acceptAny));
    setup.file('people.csv', 'to\np1@example.org\np2@example.org\n');
    const flags = ['--from', 'a@b.example', '--subject', 'S', '--text', 'T'];
    const words = ['email', 'batch', 'people.csv', ...flags, '--in-reply-to', 'em_before', '--yes'];
    expect(await setup.run(words)).toMatchObject({ exitCode: 0 });
    expect(setup.requests()).toEqual(repeat(2, 'POST /api/v1/emails'));
    expect(sentRows(setup)).toMatchObject([reply, reply]);
  });

  test('whose first answer is lost, and that are then refused by name, were never valid', async () => {
    const issues = [{ code: 'custom', path: ['inReplyToId'], message: 'no such email' }];
    const setup = await connected(
      (response) => response.destroy(),
      { status: 400, body: { success: false, error: { issues, name: 'ZodError' } } },
      acceptAny,
    );
    const own = { from: 'a@b.example', subject: 'S', text: 'T' };
    setup.file('rows.json', [
      { to: 'p1@example.org', ...own, ...reply },
      { to: 'p2@example.org', ...own },
    ]);
    const words = 'email batch rows.json --yes --concurrency 1 --jsonl';
    const { exitCode, stdout } = await setup.run(words);
    expect(exitCode).toBe(11);
    expect(rowsIn(stdout)).toMatchObject([
      { row: 1, error: { code: 'rejected', message: expect.stringContaining('no such email') } },
      { row: 2, emailId: 'em_p2@example.org' },
    ]);
  });

  test('without an answer are repeated under the same key; a refusal is about the one', async () => {
    const setup = await connected(
      { status: 503 },
      ...repeat(2, acceptAny),
      { status: 400, body: { error: { code: 'BAD_REQUEST', message: 'No such email' } } },
      acceptAny,
    );
    setup.file(
      'rows.json',
      [1, 2, 3].map((row) => ({
        ...{ to: `p${row}@example.org`, from: 'a@b.example', subject: 'S', text: 'T' },
        ...reply,
      })),
    );
    const words = 'email batch rows.json --yes --concurrency 1';
    expect(await setup.run(`${words} --retries 0`)).toMatchObject({ exitCode: 7 });
    const { exitCode, stdout } = await setup.run(`${words} --json --keep-going`);
    expect(exitCode).toBe(11);
    expect(JSON.parse(stdout).data).toMatchObject([
      { row: 1, emailId: 'em_p1@example.org' },
      { row: 2, emailId: 'em_p2@example.org' },
      { row: 3, error: { code: 'rejected', message: 'No such email' } },
    ]);
    const [first, second] = setup.service.requests;
    expect(second?.body).toBe(first?.body);
    const [one, two] = keys(setup);
    expect(two).toBe(one);
  });
});
