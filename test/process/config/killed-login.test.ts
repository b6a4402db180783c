import {
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { needing, notWindows, ofNode } from '../../support/needs.ts';
import { createPlace, type Place } from '../../support/process.ts';
import { startRecorder } from '../../support/recorder.ts';

const key = 'us_key_of_a_killed_login_0123456789';

/** Files in or below a directory that contain the key. */
function holdersIn(directory: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((name) => {
    const path = join(directory, name);
    return statSync(path).isFile() && readFileSync(path, 'latin1').includes(key);
  });
}

/** Writes files with the key where killed processes leave them. */
function leave(directory: string): void {
  mkdirSync(join(directory, 'config.json.new-a1B2c3'), { recursive: true, mode: 0o700 });
  for (const name of [
    'config.json.new-a1B2c3/config.json',
    'config.json.new-a1B2c3/config.json.tmp-1234567890abcdef',
  ]) {
    writeFileSync(join(directory, name), JSON.stringify({ apiKey: key }), { mode: 0o600 });
  }
}

async function login(place: Place, profile: string, NODE_OPTIONS?: string) {
  const service = await startRecorder({ body: [] });
  const words = `login --with-token --base-url ${service.baseUrl} --profile ${profile}`;
  return await place.run(words, { input: `${key}\n`, env: { NODE_OPTIONS } });
}

describe('a login that is killed', needing(ofNode, notWindows), () => {
  // The file is renamed twice before it becomes the configuration.
  test.each([1, 2])('before rename %s leaves a key, which logout removes', async (nth) => {
    const place = createPlace();
    await place.run('config set from hello@example.com');
    const killer = join(place.home, 'killer.cjs');
    writeFileSync(
      killer,
      `const fs = require('node:fs');
      const { renameSync } = fs;
      let left = ${nth};
      fs.renameSync = (from, to) => {
        if (from.includes('config.json') && --left === 0) process.kill(process.pid, 'SIGKILL');
        return renameSync(from, to);
      };`,
    );
    const killed = await login(place, 'work', `--require=${killer}`);
    expect(killed.signal).toBe('SIGKILL');
    expect(holdersIn(place.configDirectory)).toHaveLength(1);

    const { exitCode, stderr } = await place.run('logout');
    expect({ exitCode, stderr }).toEqual({
      exitCode: 0,
      stderr: 'Profile default has no key.\n',
    });
    expect(holdersIn(place.configDirectory)).toEqual([]);
    expect((await place.run('config get from')).stdout).toBe('hello@example.com\n');
  });
});

describe('files that a killed process has left beside the configuration', () => {
  test.each([
    ['logout --profile work', []],
    ['config set timeout 5', ['config.json']],
    ['profile use work', ['config.json']],
  ])('are removed by %s', async (words, holders) => {
    const place = createPlace();
    await login(place, 'work');
    leave(place.configDirectory);
    expect(holdersIn(place.configDirectory)).toHaveLength(3);
    expect(await place.run(words)).toMatchObject({ exitCode: 0 });
    expect(holdersIn(place.configDirectory)).toEqual(holders);
    expect(readdirSync(place.configDirectory).sort()).toEqual(['config.json', 'config.lock']);
  });

  test('are removed by logout if no login has ever completed', async () => {
    const place = createPlace();
    leave(place.configDirectory);
    expect(await place.run('logout')).toMatchObject({ exitCode: 0 });
    expect(holdersIn(place.configDirectory)).toEqual([]);
  });

  test('are removed behind a link', async () => {
    const place = createPlace();
    const linked = join(place.home, 'dotfiles');
    leave(linked);
    writeFileSync(join(linked, 'config.json'), '{}', { mode: 0o600 });
    mkdirSync(place.configDirectory, { mode: 0o700 });
    symlinkSync(join(linked, 'config.json'), join(place.configDirectory, 'config.json'));
    expect(await place.run('logout')).toMatchObject({ exitCode: 0 });
    expect(readdirSync(linked)).toEqual(['config.json']);
  });

  test('are not confused with others of similar names', async () => {
    const place = createPlace();
    await login(place, 'work');
    const others = ['config.json.bak', 'config.json.damaged-20260131T120000Z', 'config.json.new'];
    for (const name of others) writeFileSync(join(place.configDirectory, name), '');
    expect(await place.run('logout --profile work')).toMatchObject({ exitCode: 0 });
    expect(readdirSync(place.configDirectory)).toEqual(expect.arrayContaining(others));
  });
});
