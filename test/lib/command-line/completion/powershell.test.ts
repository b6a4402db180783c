import { expect, test } from 'vitest';
import { startRecorder } from '../../../support/recorder.ts';
import { createWorld, type World } from '../../../support/run.ts';
import { worldWith } from '../../../support/stored-profiles.ts';

/** What PowerShell gets: text to insert, text for the list, tool tip. */
async function answer(world: World, ...typed: readonly string[]): Promise<string[][]> {
  const encoded = Buffer.from(typed.join('\n')).toString('base64');
  const { exitCode, stdout, stderr } = await world.run(['__complete', 'powershell', encoded]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  return stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => line.split('\t'));
}

test('only matching names are offered, each with all three texts', async () => {
  const world = createWorld();
  expect(await answer(world, 'camp')).toEqual([
    ['campaign', 'campaign', 'send an email to all contacts of a book'],
  ]);
  expect(await answer(world, 'campaign', 'list', '--status', 'dr')).toEqual([
    ['DRAFT', 'DRAFT', 'DRAFT'],
  ]);
  expect(await answer(world, 'email', 'get', 'x', '--wait=DEL')).toEqual([
    ['--wait=DELIVERED', 'DELIVERED', 'DELIVERED'],
  ]);
});

test('names are quoted for PowerShell, typographic quotes included', async () => {
  const names = ['plain-name_1', 'a b', "it's $(x) `y", 'it’s', '@x', 'a,b', '1;2'];
  const service = await startRecorder({
    body: { campaigns: names.map((name, index) => ({ id: `c${index}`, name })) },
  });
  const profile = { baseUrl: service.baseUrl, apiKey: 'us_key_1234567890' };
  const world = await worldWith({ work: profile }, 'work');
  const texts = (await answer(world, 'campaign', 'get', '')).map(([text]) => text);
  expect(texts).toEqual([
    'plain-name_1',
    "'a b'",
    "'it''s $(x) `y'",
    "'it’’s'",
    "'@x'",
    "'a,b'",
    "'1;2'",
  ]);
  expect((await answer(world, 'campaign', 'get', "'a")).map(([text]) => text)).toEqual([
    "'a b'",
    "'a,b'",
  ]);
});

test('files are left to PowerShell', async () => {
  const encoded = Buffer.from('email\nbatch\n').toString('base64');
  const { exitCode, stdout } = await createWorld().run(['__complete', 'powershell', encoded]);
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
});
