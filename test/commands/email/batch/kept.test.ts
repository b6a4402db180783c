import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  bodiesOf,
  down,
  filesOfRun,
  hold,
  impatient,
  line,
  locks,
  onlyRun,
  runs,
  runsDirectory,
  setUp,
} from '../../../support/batch-run.ts';
import { accept, refuseNamed, refuseUnnamed } from '../../../support/batch-service.ts';
import { peopleCsv } from '../../../support/people.ts';
import type { Answer } from '../../../support/recorder.ts';

describe('the request bodies of a run', () => {
  test('are kept while there is something to send', async () => {
    const { run, world } = await setUp(150, accept, down, accept);
    await run(impatient);
    expect(bodiesOf(world)).toBe(2);
    expect(await run(line)).toMatchObject({ exitCode: 0 });
    expect(bodiesOf(world)).toBe(0);
    expect(filesOfRun(world)).toEqual(['journal.sqlite', 'run.json']);
  });

  test('take no place on the disk once they are gone', async () => {
    const { run, world, file } = await setUp(1, down, accept);
    file('page.txt', randomBytes(200_000).toString('hex'));
    const words = [...line, '--text-file', 'page.txt'].filter((_, at) => at !== 7 && at !== 8);
    const size = () => statSync(join(runsDirectory(world), onlyRun(world), 'journal.sqlite')).size;
    await run([...words, '--retries', '0']);
    expect(size()).toBeGreaterThan(200_000);
    expect(await run(words)).toMatchObject({ exitCode: 0 });
    expect(size()).toBeLessThan(100_000);
  });

  test('are gone when it is complete, rejected rows or not; the same line shows it as before', async () => {
    const { run, world, service } = await setUp(3, ...Array(2).fill(refuseNamed('p2@example.org')));
    const first = await run(line);
    expect(first.exitCode).toBe(11);
    expect(bodiesOf(world)).toBe(0);
    expect(await run(line)).toMatchObject({ exitCode: 11, stdout: first.stdout });
    expect(await run([...line, '--results', 'r.jsonl', '--quiet'])).toMatchObject({
      stdout: 'em_p1@example.org\nem_p3@example.org\n',
    });
    expect(service.requests).toHaveLength(2);
  });

  test('are kept while emails are unknown, and gone once these are sent again', async () => {
    const { run, world } = await setUp(150, accept, down, accept);
    await run(impatient);
    world.clock.advance(24 * 3_600_000);
    expect((await run(line)).exitCode).toBe(11);
    expect(bodiesOf(world)).toBe(2);
    expect(await run([...line, '--resend-unknown'])).toMatchObject({ exitCode: 0 });
    expect(bodiesOf(world)).toBe(0);
  });

  test('are not needed to wait later on, for copies neither', async () => {
    const event = (status: string, data: unknown) => ({
      ...{ status, data },
      createdAt: '2026-01-15T10:00:01Z',
    });
    const delivered = event('DELIVERED', { recipients: ['p1@example.org'] });
    const bounced = event('BOUNCED', { bouncedRecipients: [{ emailAddress: 'c@b.example' }] });
    const look = (...emailEvents: readonly unknown[]): Answer => ({
      body: { id: 'em_p1@example.org', to: ['p1@example.org'], emailEvents },
    });
    const looks = [look(delivered), look(delivered, bounced)];
    const { run, world } = await setUp(1, accept, ...looks, ...looks);
    const words = [...line, '--bcc', 'C <c@b.example>'];
    expect(await run(words)).toMatchObject({ exitCode: 0 });
    expect(bodiesOf(world)).toBe(0);
    for (const turn of ['first', 'second']) {
      expect({ turn, ...(await run([...words, '--wait'])) }).toMatchObject({ exitCode: 9 });
    }
  });

  test('are gone with --wait, too, which shows the emails in the order of the file', async () => {
    const look = (to: string): Answer => ({
      body: { id: `em_${to}`, to: [to], emailEvents: [{ status: 'DELIVERED', createdAt: 'x' }] },
    });
    // The halves of a split batch are accepted in another order.
    const refuse = Array(5).fill(refuseUnnamed('p2@example.org'));
    const looks = ['p1@example.org', 'p3@example.org', 'p4@example.org'].map(look);
    const { run, world } = await setUp(4, ...refuse, ...looks, ...looks);
    for (const turn of ['first', 'second']) {
      const { stdout } = await run([...line, '--wait', '--quiet']);
      expect({ turn, stdout }).toEqual({
        turn,
        stdout: 'em_p1@example.org\nem_p3@example.org\nem_p4@example.org\n',
      });
      expect(bodiesOf(world)).toBe(0);
    }
  });
});

describe('the next run removes', () => {
  test('what a dead process was preparing, and not what a running one is', async () => {
    const { run, world } = await setUp(3, accept, accept);
    const directory = runsDirectory(world);
    mkdirSync(join(directory, 'locks'), { recursive: true });
    for (const name of ['preparing-gone', 'preparing-busy']) {
      mkdirSync(join(directory, name));
      writeFileSync(join(directory, name, 'journal.sqlite'), 'x');
    }
    writeFileSync(join(directory, 'locks', 'preparing-gone'), '');
    const held = hold(world, 'preparing-busy');
    await run(line);
    expect(runs(world).filter((name) => name.startsWith('preparing-'))).toEqual(['preparing-busy']);
    expect(locks(world).filter((name) => name.startsWith('preparing-'))).toEqual([
      'preparing-busy',
    ]);
    held.close();
    await run([...line, '--again']);
    expect(runs(world).filter((name) => name.startsWith('preparing-'))).toEqual([]);
    expect(locks(world)).toEqual(runs(world));
  });

  test('locks of runs whose directory somebody has deleted', async () => {
    const { run, world, file } = await setUp(3, ...Array(4).fill(accept));
    await run(line);
    const first = onlyRun(world);
    file('people.csv', peopleCsv(4));
    await run(line);
    rmSync(join(runsDirectory(world), first), { recursive: true });
    const held = hold(world, first);
    file('people.csv', peopleCsv(5));
    await run(line);
    expect(locks(world)).toEqual([...runs(world), first].toSorted());
    held.close();
    file('people.csv', peopleCsv(6));
    await run(line);
    expect(locks(world)).toEqual(runs(world));
  });
});
