import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { onTestFinished } from 'vitest';
import { emailsIn } from './batch-service.ts';
import { type Connected, connected } from './connected.ts';
import { peopleCsv } from './people.ts';
import type { Answer } from './recorder.ts';
import type { World } from './run.ts';

/** A service that cannot be reached. */
export const down: Answer = { status: 503 };

/** The words of a command line about the emails. */
export const template = [
  ...['--from', 'hello@example.com', '--subject', 'Hi {{ name }}', '--text', 'Hello'],
];

/** A command line that sends to everybody in `people.csv`, one request at a time. */
export const line = ['email', 'batch', 'people.csv', ...template, '--yes', '--concurrency', '1'];

/** The same without retries. */
export const impatient = [...line, '--retries', '0'];

/** A file of people, and a service with these responses. */
export async function setUp(rows: number, ...answers: readonly Answer[]): Promise<Connected> {
  const setup = await connected(...answers);
  setup.file('people.csv', peopleCsv(rows));
  return setup;
}

export const repeat = <Value>(times: number, value: Value): Value[] => Array(times).fill(value);

/** The recipients, in the order of the requests. */
export function sentTo(setup: Connected): string[] {
  return posts(setup).flatMap((request) => emailsIn(request).map(({ to }) => to));
}

/** The rows in results, which has one per line. */
export function rowsIn(jsonl: string) {
  return jsonl
    .trimEnd()
    .split('\n')
    .map((row) => JSON.parse(row));
}

/** The idempotency keys of the requests. */
export function keys(setup: Connected): unknown[] {
  return posts(setup).map(({ headers }) => headers['idempotency-key']);
}

/** The requests that send something. */
export function posts({ service }: Connected) {
  return service.requests.filter(({ method }) => method === 'POST');
}

export function everybody(rows: number): string[] {
  return Array.from({ length: rows }, (_, index) => `p${index + 1}@example.org`);
}

/** The directory of the runs. */
export function runsDirectory({ home }: World): string {
  return join(home, '.local', 'state', 'mailer', 'runs');
}

/** The names of the runs, in order. */
export function runs(world: World): string[] {
  return readdirSync(runsDirectory(world)).filter((name) => name !== 'locks');
}

/** The name of the only run. */
export function onlyRun(world: World): string {
  const [name = '', ...others] = runs(world);
  if (others.length > 0) throw new Error('There are several runs');
  return name;
}

/** The files in the directory of the only run. */
export function filesOfRun(world: World): string[] {
  return readdirSync(join(runsDirectory(world), onlyRun(world)));
}

/** The journal of the only run, opened; the test may change it. */
export function journalOf(world: World): DatabaseSync {
  const database = new DatabaseSync(join(runsDirectory(world), onlyRun(world), 'journal.sqlite'));
  onTestFinished(() => {
    if (database.isOpen) database.close();
  });
  return database;
}

/** How many request bodies the only run has. */
export function bodiesOf(world: World): number {
  const database = journalOf(world);
  const { bodies } = database.prepare('SELECT count(*) AS bodies FROM body').get() ?? {};
  database.close();
  return Number(bodies);
}

/** Names of the files that processes lock. */
export function locks(world: World): string[] {
  return readdirSync(join(runsDirectory(world), 'locks'));
}

/** Holds a lock with another connection, as another process would. */
export function hold(world: World, name: string): DatabaseSync {
  const database = new DatabaseSync(join(runsDirectory(world), 'locks', name));
  database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  onTestFinished(() => {
    if (database.isOpen) database.close();
  });
  return database;
}

/** The directories of runs, by name. */
export function runDirectories({ world }: Connected): string[] {
  return runs(world).map((name) => join(runsDirectory(world), name));
}

/** The directory of the only run. */
export function runDirectory({ world }: Connected): string {
  return join(runsDirectory(world), onlyRun(world));
}

/** The command in the last line of a hint, as words; only the subject may need quotes. */
export function printedWords(stderr: string): string[] {
  const printed = stderr.match(/(?<=\nmailer ).*/g)?.at(-1) ?? '';
  return [...printed.matchAll(/'([^']*)'|(\S+)/g)].map(
    ([, quoted, plain]) => quoted ?? plain ?? '',
  );
}
