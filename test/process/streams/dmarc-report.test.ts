import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import {
  mailboxLine,
  makeRecord,
  makeReport,
  messageWith,
  reportOf,
} from '../../support/dmarc-reports.ts';
import { peakMemory } from '../../support/peak-memory.ts';
import { createPlace, isExecutable } from '../../support/process.ts';

test('a report is read from stdin', async () => {
  const { run } = createPlace();
  const input = reportOf('google');
  const { exitCode, stdout } = await run('dmarc report - --sandbox --fields source,origin', {
    input,
  });
  expect({ exitCode, stdout }).toEqual({
    exitCode: 0,
    stdout: 'source\torigin\n192.0.2.1\tyours\n2001:db8::25\tforwarded\n',
  });
});

const onLinux = test.skipIf(process.platform !== 'linux' || isExecutable);

/** A mailbox with so many reports, and as many letters of 2 MB. */
function writeMailbox(path: string, count: number): void {
  writeFileSync(path, '');
  const letter = messageWith('photo.jpg', 'image/jpeg', Buffer.alloc(1_500_000, 'photo'));
  for (let index = 0; index < count; index++) {
    const report = gzipSync(makeReport({ records: makeRecord().repeat(200) }));
    const message = messageWith('r.xml.gz', 'application/gzip', report);
    appendFileSync(path, `${mailboxLine}${letter}\n${mailboxLine}${message}\n`);
  }
}

onLinux('a mailbox of 200 MB is not held in memory', async () => {
  const { home, run } = createPlace();
  writeMailbox(join(home, 'box'), 100);
  const { env, memory } = peakMemory();
  const { exitCode, stdout } = await run('dmarc report box --json --selector a', { env });
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ reports: 100, otherFiles: 100 });
  // As much as for one of 400 MB; most of it is messages of 2 MB that V8 has not freed yet.
  expect(memory()).toBeLessThan(340 * 1024);
});
