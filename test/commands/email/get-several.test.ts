import { describe, expect, test } from 'vitest';
import { errorOf, failureOf } from '../../support/connected.ts';
import { bounce, mailboxService, stored } from '../../support/mailbox-service.ts';

const emails = () => [
  stored('em_1'),
  stored('em_2', { emailEvents: [bounce('Permanent', 'no such mailbox', 'ana@example.org')] }),
  stored('em_3'),
];

describe('several ids', () => {
  test('are an array, in their order, each once', async () => {
    const { run, requests } = await mailboxService(emails());
    const outcome = await run('email get em_3 em_1 em_3 --json');
    expect(outcome).toMatchObject({ exitCode: 0, stderr: '' });
    expect(JSON.parse(outcome.stdout).map(({ id }: { id: string }) => id)).toEqual([
      'em_3',
      'em_1',
    ]);
    expect(requests()).toHaveLength(2);
  });

  test('are lines, rows of CSV, and a table with the reason', async () => {
    const { run } = await mailboxService(emails());
    const lines = await run('email get em_1 em_2 --jsonl');
    expect(
      lines.stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).id),
    ).toEqual(['em_1', 'em_2']);
    const csv = await run('email get em_2 --csv --fields id,bounceType,reason');
    expect(csv.stdout).toBe(
      'id,bounceType,reason\r\nem_2,Permanent,Permanent/General; no such mailbox\r\n',
    );
    const table = await run('email get em_1 em_2', { terminal: 120 });
    expect(table.stdout).toContain('no such mailbox');
  });

  test('one id is a document, with --json and --jsonl', async () => {
    const { run } = await mailboxService(emails());
    for (const format of ['--json', '--jsonl']) {
      expect(JSON.parse((await run(`email get em_1 ${format}`)).stdout)).toHaveProperty(
        'id',
        'em_1',
      );
    }
  });

  test('the missing ones are named: 11 if some are there, 4 if none is', async () => {
    const { run } = await mailboxService(emails());
    const some = await run('email get em_1 em_8 em_9 --json');
    expect(some.exitCode).toBe(11);
    expect(JSON.parse(some.stdout)).toHaveLength(1);
    expect(failureOf(some).message).toBe('2 of 3 emails do not exist: em_8, em_9');
    const none = await run('email get em_8 em_9 --json');
    expect(none.exitCode).toBe(4);
    expect(errorOf(none).message).toContain('em_8, em_9');
  });

  test.each(['--wait', '--open'])('%s takes one', async (flag) => {
    const { run, requests } = await mailboxService(emails());
    const outcome = await run(`email get em_1 em_2 ${flag}`);
    expect(outcome.exitCode).toBe(2);
    expect(outcome.stderr).toContain(`${flag} takes one id`);
    expect(requests()).toEqual([]);
  });
});

describe('ids on stdin', () => {
  test.each([
    ['one per line', 'em_3\nem_1\n'],
    ['CSV with a header', '\uFEFFid,to\r\n"em_3","a, b"\r\nem_1,c\r\nem_3,d\r\n'],
    ['JSON Lines', '{"id":"em_3","to":"a"}\n{"row":1,"emailId":"em_1"}\n'],
    ['tab-separated lines with empty ones', 'id\tto\n\nem_3\tana\nem_1\tben'],
  ])('%s', async (_, stdin) => {
    const { run } = await mailboxService(emails());
    const outcome = await run('email get - --quiet', { stdin });
    expect(outcome).toEqual({ exitCode: 0, stdout: 'em_3\nem_1\n', stderr: '' });
  });

  test('none is an empty list', async () => {
    const { run } = await mailboxService(emails());
    const outcome = await run('email get - --json', { stdin: 'id,to\n' });
    expect(outcome.exitCode).toBe(0);
    expect(JSON.parse(outcome.stdout)).toEqual([]);
  });

  test('a line without an id is named', async () => {
    const { run } = await mailboxService(emails());
    const outcome = await run('email get - --quiet', { stdin: 'em_1\n{"to":"em_2"}\n' });
    expect(outcome).toMatchObject({ exitCode: 2, stdout: '' });
    expect(outcome.stderr).toContain('stdin: line 2 has no id');
  });

  test('of which many do not exist are named up to a number', async () => {
    const { run } = await mailboxService(emails());
    const missing = Array.from({ length: 30 }, (_, index) => `none_${index + 1}`).join('\n');
    const some = await run('email get - --quiet', { stdin: `em_1\n${missing}` });
    expect(some).toMatchObject({ exitCode: 11, stdout: 'em_1\n' });
    expect(some.stderr).toMatch(
      /^Error: 30 of 31 emails do not exist: none_1, .*none_20, and 10 more\n$/,
    );
    const none = await run('email get - --quiet', { stdin: missing });
    expect(none).toMatchObject({ exitCode: 4, stdout: '' });
    expect(none.stderr).toContain('none_20, and 10 more\n');
  });

  test('- stands alone', async () => {
    const { run } = await mailboxService(emails());
    expect((await run('email get em_1 -', { stdin: 'em_2' })).exitCode).toBe(2);
  });
});
