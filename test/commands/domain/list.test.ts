import { expect, test } from 'vitest';
import { connected } from '../../support/connected.ts';
import { createWorld } from '../../support/run.ts';
import { domain } from './domains.ts';

test('piped: tab-separated rows, header first', async () => {
  expect(await createWorld().run('domain list --sandbox')).toEqual({
    exitCode: 0,
    stdout: [
      'id\tname\tstatus\tregion\tcreatedAt',
      '3\texample.net\tNOT_STARTED\tus-east-1\t2026-01-15T09:00:00.000Z',
      '2\texample.org\tPENDING\tus-east-1\t2026-01-14T10:00:00.000Z',
      '1\texample.com\tSUCCESS\tus-east-1\t2025-11-16T10:00:00.000Z',
      '',
    ].join('\n'),
    stderr: '',
  });
});

test('on a terminal of 80 columns', async () => {
  const world = createWorld({ NO_COLOR: '1' });
  const { stdout } = await world.run('domain list --sandbox', { terminal: 80 });
  const lines = stdout.trimEnd().split('\n');
  expect(lines[0]).toMatch(/^ID {2}NAME +STATUS +REGION +CREATED$/);
  expect(lines[2]).toMatch(/^2 {3}example.org {2}PENDING +us-east-1 {2}1 day ago/);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
});

test('--json is the reply unmodified; one request', async () => {
  const reply = [domain(1, 'a.example', { novel: { kept: 1 } }), domain(2, 'b.example')];
  const { world, service } = await connected({ body: reply });
  expect(JSON.parse((await world.run('domain list --json')).stdout)).toEqual(reply);
  expect(service.requests).toMatchObject([{ method: 'GET', path: '/api/v1/domains', body: '' }]);
});

test('--quiet, --fields, --csv, --jsonl', async () => {
  const world = createWorld();
  const run = async (flags: string) => (await world.run(`domain list --sandbox ${flags}`)).stdout;
  expect(await run('-q')).toBe('3\n2\n1\n');
  expect(await run('--fields name,dnsRecords.type')).toContain('example.com\tMX, TXT, TXT, TXT\n');
  expect(await run('--csv --fields id,status')).toBe(
    'id,status\r\n3,NOT_STARTED\r\n2,PENDING\r\n1,SUCCESS\r\n',
  );
  const lines = (await run('--jsonl --fields name')).split('\n');
  expect(lines).toEqual([
    '{"name":"example.net"}',
    '{"name":"example.org"}',
    '{"name":"example.com"}',
    '',
  ]);
});

test('no domains', async () => {
  const { world } = await connected({ body: [] }, { body: [] });
  expect(await world.run('domain list')).toEqual({
    exitCode: 0,
    stdout: 'id\tname\tstatus\tregion\tcreatedAt\n',
    stderr: 'No domains.\n',
  });
  expect(await world.run('domain list --json')).toEqual({
    exitCode: 0,
    stdout: '[]\n',
    stderr: '',
  });
});

test('a rejected key: 3, and stdout stays empty', async () => {
  const body = { error: { code: 'FORBIDDEN', message: 'Invalid API token' } };
  const { world } = await connected({ status: 403, body });
  const { exitCode, stdout, stderr } = await world.run('domain list');
  expect({ exitCode, stdout }).toEqual({ exitCode: 3, stdout: '' });
  expect(stderr).toContain('Error: Invalid API token\n');
});
