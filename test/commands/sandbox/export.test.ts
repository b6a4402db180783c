import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sandboxApiKey } from '../../../src/sandbox/model/api-account.ts';
import { createWorld } from '../../support/run.ts';
import { api, fillAccount, ok, rowsOf } from './account.ts';

describe('the data of an account', () => {
  test('exported and seeded into an empty sandbox is the same, to the byte and row', async () => {
    const one = createWorld();
    await fillAccount(one);
    const text = await ok(one, 'sandbox export');
    const other = createWorld();
    other.clock.now = one.clock.now;
    writeFileSync(join(other.home, 'seeds.json'), text);
    await ok(other, 'sandbox seed seeds.json --empty');
    expect(rowsOf(other)).toEqual(rowsOf(one));
    expect(await ok(other, 'sandbox export')).toBe(text);
    expect(Object.values(rowsOf(one)).filter((rows) => rows.length === 0)).toEqual([]);

    // What is due later happens in both.
    for (const world of [one, other]) world.clock.advance(10_000);
    const [later, laterOfOther] = [
      await ok(one, 'sandbox export'),
      await ok(other, 'sandbox export'),
    ];
    expect(laterOfOther).toBe(later);
    expect(later).not.toBe(text);
    expect(later).toContain('"CLICKED"');
    expect(rowsOf(other)).toEqual(rowsOf(one));
  });

  test('is one JSON document, an entry a line, without keys and recorded requests', async () => {
    const world = createWorld();
    await api(world, 'POST', '/v1/emails', {
      from: 'shop@example.com',
      to: 'ana@example.org',
      subject: 'One\u202e',
      text: 'Hi',
    });
    const text = await ok(world, 'sandbox export --json');
    expect(Object.keys(JSON.parse(text))).toEqual([
      'domains',
      'dnsRecords',
      'books',
      'contacts',
      'segments',
      'templates',
      'campaigns',
      'messages',
      'suppressions',
      'reputationEvents',
    ]);
    expect(text.split('\n').filter((line) => line.includes('"One'))).toEqual([
      expect.stringMatching(/^ {4}\{.*"subject":"One\\u202e".*\}$/),
    ]);
    expect(text).not.toContain(sandboxApiKey);
    expect(text).not.toContain('/v1/emails');
    expect(await ok(world, 'sandbox export --quiet')).toBe(text);
    expect(await ok(world, 'sandbox export -')).toBe(text);
    expect(existsSync(join(world.home, '-'))).toBe(false);
  });

  test('of an empty sandbox is a file with empty lists', async () => {
    const world = createWorld();
    await ok(world, 'sandbox reset --empty --yes');
    const lists = Object.values(JSON.parse(await ok(world, 'sandbox export')));
    expect(lists).toEqual(Array(10).fill([]));
  });
});

describe('a file', () => {
  test('is private, and has the same content as stdout', async () => {
    const world = createWorld();
    const { exitCode, stdout, stderr } = await world.run('sandbox export out.json');
    expect({ exitCode, stdout, stderr }).toEqual({
      exitCode: 0,
      stdout: '',
      stderr: 'Exported the sandbox to out.json.\n',
    });
    const path = join(world.home, 'out.json');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readFileSync(path, 'utf8')).toBe(await ok(world, 'sandbox export'));
  });

  test('that exists is replaced only after confirmation', async () => {
    const world = createWorld();
    const path = join(world.home, 'out.json');
    writeFileSync(path, 'mine', { mode: 0o644 });
    const refused = await world.run('sandbox export out.json');
    expect(refused).toMatchObject({ exitCode: 2, stdout: '' });
    expect(refused.stderr).toContain(
      'Nothing was written, because this needs confirmation: Replace out.json by the data of the sandbox?',
    );
    expect(readFileSync(path, 'utf8')).toBe('mine');
    await ok(world, 'sandbox export out.json --yes');
    expect(readFileSync(path, 'utf8')).toContain('email_welcome');
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test('that cannot be written is a usage error, and leaves nothing', async () => {
    const world = createWorld();
    expect(await world.run('sandbox export no/out.json')).toMatchObject({
      exitCode: 2,
      stderr: 'Error: no/out.json cannot be written: its directory does not exist\n',
    });
    mkdirSync(join(world.home, 'directory'));
    expect(await world.run('sandbox export directory')).toMatchObject({ exitCode: 2 });
    expect(existsSync(join(world.home, 'no'))).toBe(false);
  });
});
