import { writeFileSync } from 'node:fs';
import * as z from 'zod';
import { lenientObject } from '../../../../api/lenient.ts';
import { attempt } from '../../../../shared/attempt.ts';
import { readRegular } from '../../../base/files/regular-file.ts';
import type { ReadonlyInfer } from '../../../base/json/readonly-infer.ts';

const texts = z.array(z.string());

const runLabel = lenientObject({
  first: z.string().describe('the name of the first sending of the same input'),
  sending: z.number(),
  input: z.string().describe('the absolute path, or `-`'),
  digest: z.string().describe('SHA-256 of the input'),
  account: lenientObject({ services: texts, keys: texts }).describe('the one that started it'),
  retryOf: z.string().optional().describe('the first run of a chain of retries'),
});

/**
 * What a run is about, stored beside its journal: enough to tell which input a run may have half sent if its
 * journal cannot be read, and which sendings of an input are on this machine.
 */
export type RunLabel = ReadonlyInfer<typeof runLabel>;

/** Writes it, private to its owner. Safe on disk once this returns. */
export function writeLabel(path: string, label: RunLabel): void {
  writeFileSync(path, `${JSON.stringify(label)}\n`, { flag: 'wx', mode: 0o600, flush: true });
}

/** Reads it; undefined if it is missing or damaged. */
export function readLabel(path: string): RunLabel | undefined {
  return attempt(() => runLabel.safeParse(JSON.parse(readRegular(path))).data, undefined);
}
