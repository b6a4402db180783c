import { describe, expect, test } from 'vitest';
import { fileIn } from '../../support/connected.ts';
import { createWorld } from '../../support/run.ts';
import { putTemplate } from './files.ts';

const create = ['template', 'create', '--sandbox', '--name', 'Offer'];
const filled = '<p>{{ name }}, {{plan, fallback=Free}} <code>{% if x %}</code></p>';

describe.each([
  ['a tag of Liquid', '{% if vip %}'],
  ['a filter', '{{ name | upcase }}'],
  ['a brace too few', '{{ name }'],
  ['a tag of another service', '*|FNAME|*'],
])('%s: %s', (_, tag) => {
  test('template create names its line, and creates nothing', async () => {
    const world = createWorld();
    fileIn(world, 'offer.html', `<p>\n${tag}</p>${filled}`);
    const words = [...create, '--subject', 'Hi {{name}}', '--html-file', 'offer.html'];
    const { exitCode, stdout, stderr } = await world.run(words);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain(`\n  offer.html, line 2: ${tag}\n`);
    expect(stderr).toContain('Nothing was created.');
    expect(stderr).toContain('add --literal.');
    expect((await world.run([...words, '--literal'])).exitCode).toBe(0);
  });

  test('template push names its file and line, and creates nothing', async () => {
    const world = createWorld();
    putTemplate(world, 'first.html', 'First', filled);
    putTemplate(world, 'offer.html', 'Offer', `<p>\n${tag}</p>`);
    for (const flag of ['--yes', '--dry-run']) {
      const { exitCode, stderr } = await world.run(`template push templates --sandbox ${flag}`);
      expect(exitCode).toBe(2);
      expect(stderr).toContain(`\n  offer.html, line 6: ${tag}\n`);
    }
    expect((await world.run('template list --sandbox')).stdout).not.toContain('First');
    const push = 'template push templates --sandbox --yes --literal';
    expect((await world.run(push)).exitCode).toBe(0);
    // What the service has already is not looked at again.
    expect((await world.run('template push templates --sandbox --yes')).exitCode).toBe(0);
  });
});

test('a tag in a subject, a flag or the content of the editor is named, too', async () => {
  const { run } = createWorld();
  const content = JSON.stringify({ type: 'doc', content: [{ type: 'text', text: '{% if a %}' }] });
  for (const [more, place] of [
    [['--subject', '{{ a | b }}', '--html', 'x'], '--subject: {{ a | b }}'],
    [['--subject', '%recipient.name%', '--html', 'x'], '--subject: %recipient.name%'],
    [['--subject', 'x', '--html', '{{ a | b }}'], '--html, line 1: {{ a | b }}'],
    [['--subject', 'x', '--content', content], '--content: {% if a %}'],
  ] as const) {
    const { exitCode, stderr } = await run([...create, ...more]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(`  ${place}\n`);
  }
});

test.each([
  ['--html', 'page.html'],
  ['--content', 'page.json'],
])('%s %s is an error that names the flag for files', async (flag, value) => {
  const world = createWorld();
  fileIn(world, value, 'x');
  const words = [...create, '--subject', 'Hi', flag, value];
  const { exitCode, stderr } = await world.run(words);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(`To read the file: ${flag}-file ${value}`);
  if (flag === '--html') expect((await world.run([...words, '--literal'])).exitCode).toBe(0);
});
