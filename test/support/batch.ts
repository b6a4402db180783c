import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { runHere } from './here.ts';
import { peopleCsv } from './people.ts';
import type { Place } from './process.ts';
import type { ServedSandbox } from './served.ts';

/** A command line that sends to everybody in `people.csv`. */
export const batchLine = [
  'email',
  'batch',
  'people.csv',
  '--from',
  'hello@example.com',
  '--subject',
  'Hi {{ name }}',
  '--text',
  'Hello',
  '--yes',
];

/** Writes `people.csv`. */
export function writePeople({ home }: Place, rows: number): void {
  writeFileSync(join(home, 'people.csv'), peopleCsv(rows));
}

export function everybody(rows: number): string[] {
  return Array.from({ length: rows }, (_, index) => `p${index + 1}@example.org`);
}

/** The directory of the journals. */
export function runsDirectory({ home }: Place): string {
  return join(home, '.local', 'state', 'mailer', 'runs');
}

interface Recorded {
  readonly id: string;
  readonly to: string;
}

/** The emails to people that the service reports. */
export async function recorded(
  place: Pick<Place, 'env' | 'home'>,
  { env }: Pick<ServedSandbox, 'env'>,
): Promise<Recorded[]> {
  const words = 'email list --all --jsonl --fields id,to';
  const { exitCode, stdout, stderr } = await runHere(place, words, { env });
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
    .map(({ id, to }) => ({ id, to: to.join() }))
    .filter(({ to }) => /^p\d+@example\.org$/.test(to));
}

/** Expects that everybody got exactly one email. */
export async function expectEachOnce(
  place: Pick<Place, 'env' | 'home'>,
  service: Pick<ServedSandbox, 'env'>,
  rows: number,
): Promise<Recorded[]> {
  const emails = await recorded(place, service);
  expect(emails.map(({ to }) => to).toSorted()).toEqual(everybody(rows).toSorted());
  return emails;
}

/** Expects a complete file of results, in input order, each with the id of its email. */
export function expectResults(
  { home }: Place,
  emails: readonly Recorded[],
  name = 'results.jsonl',
): void {
  const ids = new Map(emails.map(({ id, to }) => [to, id]));
  const lines = readFileSync(join(home, name), 'utf8').trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toEqual(
    everybody(emails.length).map((to, index) => ({ row: index + 1, to, emailId: ids.get(to) })),
  );
}
