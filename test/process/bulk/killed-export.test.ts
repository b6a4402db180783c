import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { key } from '../../support/connected.ts';
import { mailboxService, stored } from '../../support/mailbox-service.ts';
import { createPlace, isExecutable } from '../../support/process.ts';

/** Kills the process as soon as a file has this name. */
const killer = (name: string) => `const fs = require('node:fs');
const { renameSync } = fs;
fs.renameSync = (from, to) => {
  renameSync(from, to);
  if (to.endsWith(${JSON.stringify(name)})) process.kill(process.pid, 'SIGKILL');
};
require('node:module').syncBuiltinESMExports();`;

test.skipIf(isExecutable).each(['', '--since-last --overlap 10d'])(
  'an export that is resumed and killed once its file is complete does not write an email twice %s',
  async (flag) => {
    const list = Array.from({ length: 120 }, (_, index) => {
      const createdAt = new Date(Date.UTC(2026, 0, 15) - index * 60_000).toISOString();
      return stored(`em_${120 - index}`, { createdAt });
    });
    const service = await mailboxService(list);
    const [broken] = list.slice(70);
    if (broken) broken.isBroken = true;
    const place = createPlace({
      MAILER_API_KEY: key,
      MAILER_BASE_URL: service.service.baseUrl,
    });
    if (flag !== '') {
      const line = JSON.stringify({ ...stored('em_old'), lastEvent: null });
      writeFileSync(join(place.home, 'all.jsonl'), `${line}\n`);
    }
    const line = `email export --output all.jsonl --retries 0 ${flag}`.trim();
    expect(await place.run(line)).toMatchObject({ exitCode: 7 });
    if (broken) broken.isBroken = false;
    writeFileSync(join(place.home, 'killer.cjs'), killer('all.jsonl'));
    const env = { NODE_OPTIONS: `--require=${join(place.home, 'killer.cjs')}` };
    expect(await place.run(line, { env })).toMatchObject({ signal: 'SIGKILL' });
    const again = await place.run(`${line} --yes`);
    expect(again.exitCode).toBe(0);
    const ids = readFileSync(join(place.home, 'all.jsonl'), 'utf8').match(/"id":"em_\w+"/g) ?? [];
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBe(flag === '' ? 120 : 121);
    expect(readdirSync(place.home).filter((name) => name.includes('.partial'))).toEqual([]);
  },
);
