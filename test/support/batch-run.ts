import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { emailsIn } from './batch-service.ts';
import { type Connected, connected } from './connected.ts';
import { peopleCsv } from './people.ts';
import type { Answer } from './recorder.ts';

/** A service that cannot be reached. */
export const down: Answer = { status: 503 };

/** What a command line says of the emails. */
export const template = [
  ...['--from', 'hello@example.com', '--subject', 'Hi {{ name }}', '--text', 'Hello'],
];

/** A command line that sends to everybody in `people.csv`, one request after the other. */
export const line = ['email', 'batch', 'people.csv', ...template, '--yes', '--concurrency', '1'];

/** The same, which gives up at the first failure. */
export const impatient = [...line, '--retries', '0'];

/** A file of people, and a service that gives these answers. */
export async function setUp(rows: number, ...answers: readonly Answer[]): Promise<Connected> {
  const setup = await connected(...answers);
  setup.file('people.csv', peopleCsv(rows));
  return setup;
}

export const repeat = <Value>(times: number, value: Value): Value[] => Array(times).fill(value);

/** Everybody who was written to, in the order of the requests. */
export function sentTo({ service }: Connected): string[] {
  return service.requests.flatMap((request) => emailsIn(request).map(({ to }) => to));
}

/** The rows in results, one in a line. */
export function rowsIn(jsonl: string) {
  return jsonl
    .trimEnd()
    .split('\n')
    .map((row) => JSON.parse(row));
}

/** The idempotency keys of the requests. */
export function keys({ service }: Connected): unknown[] {
  return service.requests.map(({ headers }) => headers['idempotency-key']);
}

export function everybody(rows: number): string[] {
  return Array.from({ length: rows }, (_, index) => `p${index + 1}@example.org`);
}

/** The directories of runs, by name. */
export function runDirectories({ world }: Connected): string[] {
  const runs = join(world.home, '.local', 'state', 'mailer', 'runs');
  return readdirSync(runs)
    .filter((name) => name !== 'locks')
    .map((name) => join(runs, name));
}

/** The only run there is. */
export function runDirectory(setup: Connected): string {
  const [directory = '', ...others] = runDirectories(setup);
  if (others.length > 0) throw new Error('There are several runs');
  return directory;
}

/** The line at the end of a hint, as words; none of them may need quotes but the subject. */
export function printedWords(stderr: string): string[] {
  const [printed = ''] = /(?<=\nmailer ).*/.exec(stderr) ?? [];
  return [...printed.matchAll(/'([^']*)'|(\S+)/g)].map(
    ([, quoted, plain]) => quoted ?? plain ?? '',
  );
}
