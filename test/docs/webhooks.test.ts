import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, onTestFinished, test } from 'vitest';
import { reasonText } from '../../src/shared/webhook/signature.ts';
import { node, root } from '../support/process.ts';
import { createWorld } from '../support/run.ts';
import { read } from '../support/sources.ts';

const page = read('docs/webhooks.md');
const secret = 'whsec_0123456789abcdef';

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

test('the handler on the page passes webhook test', async () => {
  const [, text = ''] = /^```js handler\.mjs\n([\s\S]*?)^```$/m.exec(page) ?? [];
  const world = createWorld({ MAILER_WEBHOOK_SECRET: secret });
  world.clock.now = Date.now();
  const file = join(world.home, 'handler.mjs');
  const client = join(root, 'node_modules', 'usesend-js', 'dist', 'index.mjs');
  writeFileSync(file, text.replace("'usesend-js'", JSON.stringify(client)));
  const PORT = String(await freePort());
  const handler = execa(node, [file], { env: { PORT, MAILER_WEBHOOK_SECRET: secret } });
  handler.catch(() => {});
  onTestFinished(() => {
    handler.kill();
  });
  const url = `http://localhost:${PORT}`;
  while (!(await fetch(url, { method: 'POST' }).then(Boolean, () => false)));
  const { exitCode, stdout } = await world.run(`webhook test ${url} --json`);
  const outcomes = JSON.parse(stdout).map(({ outcome }: { outcome: string }) => outcome);
  expect([exitCode, new Set(outcomes)]).toEqual([0, new Set(['ok'])]);
});

test('the page has every reason for which a call is not valid', () => {
  expect(Object.keys(reasonText).filter((reason) => !page.includes(reason))).toEqual([]);
});
