import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { lenientObject } from '../api/lenient.ts';
import { readRegular } from '../lib/base/files/regular-file.ts';
import { replaceFile } from '../lib/base/files/replace-file.ts';
import type { ReadonlyInfer } from '../lib/base/json/readonly-infer.ts';
import { attempt } from '../shared/attempt.ts';

const mark = lenientObject({
  url: z.string(),
  baseUrl: z.string(),
  // With `--smtp-port` and `--dns-port`.
  smtpPort: z.int().optional(),
  dnsPort: z.int().optional(),
});

/** The addresses of a served sandbox. */
export type RunningSandbox = ReadonlyInfer<typeof mark>;

/**
 * Records that the sandbox is being served, in place of `other`, which serves it too. The returned
 * function restores that record or removes it, unless another server has put its own there.
 */
export async function markRunning(
  directory: string,
  running: RunningSandbox,
  other?: RunningSandbox,
): Promise<() => Promise<void>> {
  await writeMark(directory, running);
  return async () => {
    if ((await readMark(directory))?.url !== running.url) return;
    if (other === undefined) await rm(fileIn(directory), { force: true });
    else await writeMark(directory, other);
  };
}

async function writeMark(directory: string, running: RunningSandbox): Promise<void> {
  await replaceFile(fileIn(directory), `${JSON.stringify(running)}\n`);
}

/** The record, if there is one. A server that was killed leaves its record behind. */
export async function readMark(directory: string): Promise<RunningSandbox | undefined> {
  return attempt(() => mark.parse(JSON.parse(readRegular(fileIn(directory)))), undefined);
}

function fileIn(directory: string): string {
  return join(directory, 'running.json');
}
