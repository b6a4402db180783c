import { describe, expect, test } from 'vitest';
import { fileIn } from '../../support/connected.ts';
import { createWorld } from '../../support/run.ts';

const send =
  'email send --from hello@example.com --to a@example.org --subject Hi --sandbox --dry-run';
const batch = 'email batch rows.csv --from hello@example.com --subject Hi --sandbox --dry-run';

async function run(line: string, text: string, flags: readonly string[] = []) {
  const world = createWorld();
  fileIn(world, 'rows.csv', 'to\na@example.org\n');
  return await world.run([...line.split(' '), '--text', text, ...flags]);
}

describe.each([send, batch])('%s', (line) => {
  test.each([
    'Build $BUILD_ID',
    `See \${URL}`,
    'Done at $(date)',
    'Done at $(date +%F)',
    'Hello <?= $name ?>',
    'Hello %(name)s',
  ])('%s is said', async (text) => {
    const { exitCode, stderr } = await run(line, text);
    expect(exitCode).toBe(0);
    expect(stderr).toContain('and is sent as it is written:');
    expect((await run(line, text, ['--literal'])).stderr).not.toContain('as it is written');
  });

  test.each(['Hello,\\n\\nall is well', 'Hello Ana,\\nall is well', 'Hello\\nAna', 'Bye\\n'])(
    '%s is said',
    async (text) => {
      const { exitCode, stderr } = await run(line, text);
      expect(exitCode).toBe(0);
      expect(stderr).toContain('no line break, and are sent as they are:\n  --text, line 1: "');
      expect(stderr).toMatch(/"[^"]*[^\\]\\n/);
      expect((await run(line, text, ['--literal'])).stderr).not.toContain('line break');
    },
  );

  test.each([
    'It costs $100 or US$5',
    '$HOME',
    '$(document).ready()',
    'C:\\notes\\new\\New',
    'a\\nb',
    'It is `$BUILD_ID` and `$(date)`',
  ])('%s is certain', async (text) => {
    const { exitCode, stderr } = await run(line, text);
    expect(exitCode).toBe(0);
    expect(stderr).not.toMatch(/as it is written|line break/);
  });
});
