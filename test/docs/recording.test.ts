import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { recordingSvg, type Scene } from '../../scripts/docs/recording.ts';
import { terminalRows } from '../../scripts/docs/terminal-text.ts';
import { root } from '../support/process.ts';
import { createWorld } from '../support/run.ts';
import { draw } from '../support/screen.ts';

const columns = 80;

/** The typed command lines, in the rows that the recording shows. */
const typed: readonly (readonly string[])[] = [
  [
    'mailer email send --sandbox --from hello@example.com \\',
    '    --to opened+ana@example.org --subject Hi --text Hello --wait=OPENED',
  ],
  ['mailer email get email_welcome --sandbox'],
  ['mailer domain verify example.net --sandbox --wait'],
];

/** Runs the commands, on a clock that advances only while they wait. */
async function record(): Promise<readonly Scene[]> {
  const world = createWorld();
  const scenes: Scene[] = [];
  for (const rows of typed) {
    const words = rows.join(' ').replace('\\', '').split(/\s+/).slice(1);
    const { exitCode, stdout, stderr } = await world.run(words, { terminal: columns });
    expect(exitCode).toBe(0);
    const output = (stdout + stderr).replace(/\bc[a-z0-9]{24}\b/g, 'cmkf0y3b4000008l4f2gh1q9z');
    scenes.push({ typed: rows, output });
  }
  return scenes;
}

test('the recording has the output of the commands', async () => {
  const title = 'mailer sends an email, shows one with its history, and verifies a domain';
  const svg = recordingSvg(await record(), columns, title);
  expect(svg.length).toBeLessThan(60_000);
  expect(svg).not.toMatch(/<script|\bhref|url\(|@import/);
  await expect(svg).toMatchFileSnapshot(join(root, 'docs', 'recording.svg'));
});

test('the recording shows what a terminal shows', async () => {
  for (const { output } of await record()) {
    const recorded = terminalRows(output).map((runs) => runs.map(({ text }) => text).join(''));
    // As a terminal's driver passes it on.
    const { rows } = draw(output.replaceAll('\n', '\r\n'), columns);
    const shown = (rows: readonly string[]) => rows.map((row) => row.trimEnd()).filter(Boolean);
    expect(shown(recorded)).toEqual(shown(rows));
  }
});

describe('text with colours', () => {
  test('is split', () => {
    expect(terminalRows('a \x1b[1mb\x1b[32mc\x1b[39md\x1b[22m\ne')).toEqual([
      [
        { text: 'a ', looks: [] },
        { text: 'b', looks: ['bold'] },
        { text: 'c', looks: ['bold', 'green'] },
        { text: 'd', looks: ['bold'] },
      ],
      [{ text: 'e', looks: [] }],
    ]);
  });

  test.each(['\x1b[2K', '\x1b[36m', '\x1b]8;;x'])('has no other sequence: %j', (text) => {
    expect(() => terminalRows(text)).toThrow('unknown');
  });
});
