import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { connected } from '../../support/connected.ts';
import { createWorld } from '../../support/run.ts';

async function sentWithAll() {
  const world = createWorld({ NO_COLOR: '1' });
  writeFileSync(join(world.home, 'plan.txt'), 'x'.repeat(3000));
  const { exitCode, stderr } = await world.run([
    ...['email', 'send', '--sandbox', '--from', 'hello@example.com', '--to', 'ana@example.org'],
    ...['--cc', 'ben@example.org', '--subject', 'Hi', '--text', 'Hello', '--attach', 'plan.txt'],
    ...['--header', 'X-Order: 7'],
  ]);
  expect(exitCode, stderr).toBe(0);
  return world;
}

test('on the sandbox: headers, attachments with their sizes, and copies', async () => {
  const world = await sentWithAll();
  const { stdout } = await world.run('email get @last --sandbox', { terminal: 100 });
  expect(stdout).toMatch(/^Cc +ben@example.org$/m);
  expect(stdout).toMatch(/^Attachments +plan.txt \(2.9 KiB\)$/m);
  expect(stdout).toMatch(/^Headers +X-Order: 7$/m);
  const { stdout: json } = await world.run('email get @last --sandbox --json');
  expect(JSON.parse(json)).toMatchObject({
    headers: { 'X-Order': '7' },
    attachments: [{ filename: 'plan.txt', size: 3000 }],
  });
});

test('without a terminal, copies are looked up only if they are asked for', async () => {
  const world = await sentWithAll();
  const { stdout } = await world.run('email get @last --sandbox --fields cc --quiet');
  expect(stdout).toBe('ben@example.org\n');
});

test('the type of an attachment is shown if the service has it', async () => {
  const attachments = [{ filename: 'a.pdf', contentType: 'application/pdf' }, { filename: 'b' }];
  const { run } = await connected({
    body: { id: 'em_1', to: ['a@b.c'], cc: [], emailEvents: [], attachments },
  });
  const { stdout } = await run('email get em_1 --fields id,attachments.filename');
  expect(stdout).toContain('a.pdf');
});
