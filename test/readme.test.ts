import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { withPackages } from './support/packages.ts';
import { root } from './support/process.ts';
import { createWorld, type World } from './support/run.ts';
import { read } from './support/sources.ts';

/** Pages whose console blocks run in the sandbox, each page in its own. */
const pages = [
  'README.md',
  'docs/guide.md',
  'docs/scripts.md',
  'docs/contacts.md',
  'docs/writing.md',
];

test.each(pages)('the console blocks of %s have the output of the commands', async (page) => {
  const text = read(page);
  const world = createWorld();
  withPackages(world);
  const files = /^```(?:csv|html|json|markdown|tsx|xml) (\S+)\n([\s\S]*?)^```$/gm;
  for (const [, name = '', content = ''] of text.matchAll(files)) {
    writeFileSync(join(world.home, name), content);
  }
  const parts = text.split(/^(```console sandbox\n[\s\S]*?^```$)/m);
  expect(parts.length).toBeGreaterThan(1);
  const current = await inTurn(parts, (part) =>
    part.startsWith('```console sandbox\n') ? runBlock(world, part) : Promise.resolve(part),
  );
  await expect(current.join('')).toMatchFileSnapshot(join(root, page));
});

test('the README is short, and its log is what its lines print on the sandbox', async () => {
  const readme = read('README.md');
  expect(readme.split('\n').length).toBeLessThanOrEqual(161);
  const [, add = ''] = /`mailer (domain add fail\.[^`]* --sandbox)`/.exec(readme) ?? [];
  const [, verify = '', log = ''] =
    /^```sh\nmailer (domain verify .*)\n```\n\n```text\n([\s\S]*?)^```$/m.exec(readme) ?? [];
  const world = createWorld();
  await world.run(add);
  const { exitCode, stdout, stderr } = await world.run(`${verify} --sandbox`);
  expect(exitCode).toBe(9);
  // Only the ends of keys are shown: their beginnings are the same.
  const shown = `${stdout}${stderr}`.replace(/(p=)\S+(\S{4}IDAQAB)/g, '$1…$2');
  expect(shown.split('\n')).toEqual(expect.arrayContaining(log.trimEnd().split('\n')));
});

/** Progress that a slow machine shows and erases, between two escape sequences. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: terminals' sequences begin with one.
const moving = /\u001b\[\?25l.*?\u001b\[\?25h/gs;

/** The block with the output of its commands, which are the lines that start with `$`. */
async function runBlock(world: World, block: string): Promise<string> {
  const commands = block.split('\n').filter((line) => line.startsWith('$ mailer '));
  expect(commands.length).toBeGreaterThan(0);
  const runs = await inTurn(commands, async (command) => {
    const { stdout, stderr } = await world.run(words(command).slice(2), {
      terminal: 100,
      env: { NO_COLOR: '1' },
    });
    return `${command}\n${withoutChance(stdout + stderr.replace(moving, ''))}`;
  });
  return `\`\`\`console sandbox\n${runs.join('')}\`\`\``;
}

/** Splits a command line as a shell does, as far as the README needs it. */
function words(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
}

/** Replaces ids that differ at each run; CSV gets the page's line ends. */
function withoutChance(text: string): string {
  const known = new Map<string, string>();
  return text
    .replace(/\bc[a-z0-9]{24}\b/g, (id) => {
      const name = known.get(id) ?? `cmkf0y3b4000${known.size}08l4f2gh1q9z`;
      known.set(id, name);
      return name;
    })
    .replace(/^[0-9a-f]{32}$/gm, '0bddde4407b08a8ab1ae28d1ea3ee2d0')
    .replaceAll('\r\n', '\n')
    .replace(/"requestId":\s*"[^"]*"/g, '"requestId": "6e0f2c1a-4d5b-4a3c-9e8f-7b6a5c4d3e2f"')
    .replace(/^Request id: .*$/gm, 'Request id: 6e0f2c1a-4d5b-4a3c-9e8f-7b6a5c4d3e2f');
}

/** Like `Promise.all` with a map, but in sequence, because the commands share their data. */
async function inTurn<Item, Value>(
  items: readonly Item[],
  work: (item: Item) => Promise<Value>,
): Promise<Value[]> {
  const values: Value[] = [];
  for (const item of items) values.push(await work(item));
  return values;
}
