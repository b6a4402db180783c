import { describe, expect, test } from 'vitest';
import { connected } from '../../support/connected.ts';
import { listItem } from '../../support/emails.ts';
import { items, pageOf } from '../../support/pages.ts';
import type { Answer } from '../../support/recorder.ts';

const rows = items(6, 1);

/** The pages of a list, generated on request. */
const anyPage =
  (list: readonly unknown[]): Answer =>
  (response, request) =>
    void response.end(JSON.stringify(pageOf(list, request)));

describe.each(['', '--json', '--jsonl', '--csv', '--quiet'])('email list --all %s', (flag) => {
  test('shows a page before the next one arrives; Ctrl-C then leaves a list that is not complete', async () => {
    const never: Answer = () => {};
    const { run, service } = await connected(anyPage(rows), never);
    const outcome = await run(`email list --all --limit 2 ${flag}`, { until: 'em_5' });
    expect(outcome).toMatchObject({ exitCode: 130, stderr: '' });
    expect(outcome.stdout).toContain('em_6');
    if (flag === '--json') expect(() => JSON.parse(outcome.stdout)).toThrow(SyntaxError);
    expect(service.requests.length).toBeLessThanOrEqual(2);
  });

  test('is incomplete and an error if a page fails', async () => {
    const failure = { status: 500, body: { error: { code: 'INTERNAL', message: 'Out of order' } } };
    const { run } = await connected(anyPage(rows), anyPage(rows), failure);
    const { exitCode, stdout, stderr } = await run(
      `email list --all --limit 2 --retries 0 ${flag}`,
    );
    expect(exitCode).toBe(7);
    // The rows already shown are from the earlier pages.
    expect(stdout).toContain('em_3');
    expect(stdout).not.toContain('em_2');
    if (flag === '--json') expect(() => JSON.parse(stdout)).toThrow(SyntaxError);
    else expect(stdout).toMatch(/\n$/);
    if (flag.startsWith('--json')) {
      expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'unavailable', status: 500 } });
    } else {
      expect(stderr).toBe('Error: The service responded with 500: Out of order\n');
    }
  });
});

test('nothing is on stdout if the first page fails', async () => {
  const { run } = await connected({ status: 500, body: {} });
  const { exitCode, stdout } = await run('email list --all --json --retries 0');
  expect({ exitCode, stdout }).toEqual({ exitCode: 7, stdout: '' });
});

describe('on a terminal', () => {
  const email = (index: number, fields: object = {}) =>
    listItem(`cm3k9x2f80000${String(index).padStart(4, '0')}`, { subject: 'Short', ...fields });

  /** The lines that a terminal of this width shows. */
  async function shown(emails: readonly object[], terminal: number): Promise<string[]> {
    const { run } = await connected(...Array<Answer>(4).fill(anyPage(emails)));
    const { exitCode, stdout } = await run('email list --all --no-color', { terminal });
    expect(exitCode).toBe(0);
    return stdout.trimEnd().split('\n');
  }

  test('the header is printed once, and columns keep their positions', async () => {
    const [first = '', ...lines] = await shown(
      Array.from({ length: 120 }, (_, index) => email(index)),
      80,
    );
    expect(first).toMatch(/^ID +STATUS +TO +SUBJECT +CREATED$/);
    expect(lines).toHaveLength(120);
    for (const line of lines) {
      expect(line.indexOf('DELIVERED')).toBe(first.indexOf('STATUS'));
      expect(line.search(/\S+ \S+ ago/)).toBe(first.indexOf('CREATED'));
    }
  });

  test('wider values of a later page get the available space', async () => {
    const subject = 'A subject that is longer than those of the first page';
    const emails = Array.from({ length: 150 }, (_, index) =>
      email(index, index === 60 ? { subject } : {}),
    );
    const lines = await shown(emails, 160);
    expect(lines.join('\n')).toContain(`  ${subject}  `);
    const created = lines.map((line) => line.search(/\S+ \S+ ago/));
    expect(new Set(created.slice(1, 51)).size).toBe(1);
    expect(new Set(created.slice(51)).size).toBe(1);
  });

  test('a longer id or status of a later page is complete', async () => {
    const emails = Array.from({ length: 52 }, (_, index) => email(index));
    const id = 'an_id_that_is_longer_than_others';
    emails.push(email(52, { id }), email(53, { latestStatus: 'RENDERING_FAILURE' }));
    const lines = await shown(emails, 100);
    expect(lines.join('\n')).toMatch(new RegExp(`^${id}  DELIVERED `, 'm'));
    expect(lines.join('\n')).toContain('  RENDERING_FAILURE  ');
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(100);
  });
});
