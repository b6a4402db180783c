import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { key } from '../../support/connected.ts';
import { runHere } from '../../support/here.ts';
import { mailboxService, stored } from '../../support/mailbox-service.ts';
import { needing, ofNode } from '../../support/needs.ts';
import { createPlace } from '../../support/process.ts';

const emails = (count: number) =>
  Array.from({ length: count }, (_, index) => {
    const createdAt = new Date(Date.UTC(2026, 0, 15) - index * 60_000).toISOString();
    return stored(`em_${index}`, { createdAt });
  });

const idsIn = (path: string) =>
  readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).id);

async function setUp(count: number) {
  const list = emails(count);
  const { service } = await mailboxService(list);
  const place = createPlace({ MAILER_API_KEY: key, MAILER_BASE_URL: service.baseUrl });
  return { list, place, path: join(place.home, 'all.jsonl') };
}

test('an export that is killed has each email once after it is run again', async () => {
  const { list, place, path } = await setUp(230);
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
  // The first page is written before this one of the second hangs.
  const [slow] = list.slice(170);
  if (slow === undefined) throw new Error('There is no such email');
  Object.defineProperty(slow, 'hangs', {
    configurable: true,
    get() {
      ask();
      return true;
    },
  });
  const line = 'email export --output all.jsonl';
  const running = place.start(line);
  await asked;
  running.kill('SIGKILL');
  await running;
  Object.defineProperty(slow, 'hangs', { value: false });
  expect(await runHere(place, line)).toMatchObject({ exitCode: 0 });
  expect(idsIn(path)).toEqual(list.map(({ id }) => id));
});

/** Kills the process as soon as a file has this name. */
const killer = (name: string) => `const fs = require('node:fs');
const { renameSync } = fs;
fs.renameSync = (from, to) => {
  renameSync(from, to);
  if (to.endsWith(${JSON.stringify(name)})) process.kill(process.pid, 'SIGKILL');
};
require('node:module').syncBuiltinESMExports();`;

test.each(['', '--since-last --overlap 10d'])(
  'an export that is resumed and killed once its file is complete does not write an email twice %s',
  needing(ofNode),
  async (flag) => {
    const { list, place, path } = await setUp(120);
    const [broken] = list.slice(70);
    if (broken) broken.isBroken = true;
    if (flag !== '') {
      writeFileSync(path, `${JSON.stringify({ ...stored('em_old'), lastEvent: null })}\n`);
    }
    const line = `email export --output all.jsonl --retries 0 ${flag}`.trim();
    expect(await runHere(place, line)).toMatchObject({ exitCode: 7 });
    if (broken) broken.isBroken = false;
    writeFileSync(join(place.home, 'killer.cjs'), killer('all.jsonl'));
    const env = { NODE_OPTIONS: `--require=${join(place.home, 'killer.cjs')}` };
    expect(await place.run(line, { env })).toMatchObject({ signal: 'SIGKILL' });
    expect(await runHere(place, `${line} --yes`)).toMatchObject({ exitCode: 0 });
    const ids = idsIn(path);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBe(flag === '' ? 120 : 121);
    expect(readdirSync(place.home).filter((name) => name.includes('.partial'))).toEqual([]);
  },
);
