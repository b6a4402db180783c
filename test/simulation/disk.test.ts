import { expect, test } from 'vitest';
import { seeded } from '../support/seeded.ts';
import { Disk, File, type Names } from './disk.ts';

function diskWith(names: Names) {
  const disk = new Disk(names, () => 0);
  disk.makeDirectory('/runs', 0o700);
  disk.sync(disk.root);
  const file = disk.create('/runs/journal', 0o600);
  return { disk, file, runs: disk.directory('/runs', 'open') };
}

const text = ({ disk }: { readonly disk: Disk }, path: string) => {
  const node = disk.find(path);
  return node instanceof File ? node.content.view().toString() : undefined;
};

test('a power cut loses what was not synced, and keeps what was', () => {
  const one = diskWith('in order');
  one.disk.write(one.file, 0, Buffer.from('begun'));
  one.disk.sync(one.file);
  one.disk.write(one.file, 5, Buffer.from(' and lost'));
  expect(text(one, '/runs/journal')).toBe('begun and lost');
  one.disk.cutPower('all', seeded(1));
  expect(text(one, '/runs/journal')).toBe('begun');
});

test('a power cut tears a write at the sectors of the disk', () => {
  const kept = new Set<string>();
  for (let seed = 1; seed <= 20; seed++) {
    const one = diskWith('in order');
    one.disk.write(one.file, 0, Buffer.alloc(2048, 'a'));
    one.disk.sync(one.file);
    one.disk.write(one.file, 0, Buffer.alloc(2048, 'b'));
    one.disk.cutPower('some', seeded(seed));
    const left = text(one, '/runs/journal') ?? '';
    kept.add([0, 512, 1024, 1536].map((at) => left.slice(at, at + 512)).join('|'));
    expect(left).toMatch(/^(a{512}|b{512}){4}$/);
  }
  expect(kept.size).toBeGreaterThan(5);
});

test('where names change each alone, a synced file without a synced directory has no name', () => {
  const each = diskWith('each alone');
  each.disk.sync(each.file);
  each.disk.cutPower('all', seeded(1));
  expect(each.disk.find('/runs/journal')).toBeUndefined();

  const synced = diskWith('each alone');
  synced.disk.sync(synced.runs);
  synced.disk.cutPower('all', seeded(1));
  expect(synced.disk.find('/runs/journal')).toBeDefined();

  const ordered = diskWith('in order');
  ordered.disk.sync(ordered.file);
  ordered.disk.cutPower('all', seeded(1));
  expect(ordered.disk.find('/runs/journal')).toBeDefined();
});

test('a rename is there before or after a power cut, and never twice', () => {
  for (let seed = 1; seed <= 20; seed++) {
    const one = diskWith('each alone');
    one.disk.sync(one.runs);
    one.disk.rename('/runs/journal', '/runs/kept');
    one.disk.cutPower('some', seeded(seed));
    const names = [...one.disk.directory('/runs', 'open').entries.keys()];
    expect([['journal'], ['kept']]).toContainEqual(names);
  }
});

test('what could not be synced is read until the power fails', () => {
  const one = diskWith('in order');
  one.disk.sync(one.file);
  one.disk.write(one.file, 0, Buffer.from('x'));
  one.disk.failToSync(one.file);
  one.disk.sync(one.file);
  expect(text(one, '/runs/journal')).toBe('x');
  one.disk.cutPower('nothing', seeded(1));
  expect(text(one, '/runs/journal')).toBe('');
});
