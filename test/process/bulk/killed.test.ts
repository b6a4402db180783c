import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  batchLine,
  expectEachOnce,
  expectResults,
  recorded,
  writePeople,
} from '../../support/batch.ts';
import { startContactService } from '../../support/contact-service.ts';
import { runHere, serveHere } from '../../support/here.ts';
import { createPlace, finished, type Place, type Started } from '../../support/process.ts';
import { type Passing, startProxy } from '../../support/proxy.ts';

// A real process of a real program ends by SIGKILL in the middle of a request, and the next one resumes. Which moments
// there are is for `npm run prove`, which tries all of them; here, the kernel frees what the process held.

type Line = string | readonly string[];

/** A program that is killed, and what must hold when it has been resumed. */
interface Work {
  /** The service, without `/api`. */
  readonly url: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly start: Line;
  readonly resume: Line;
  /** The last process, which is not killed; like `resume` if absent. */
  readonly finish?: Line;
  check(run: (line: Line) => ReturnType<typeof runHere>): Promise<void>;
}

const moments = ['before it arrives', 'before its response', 'after its response'] as const;

/** A proxy that kills a process at the second of its requests that change something. */
async function startKiller(service: string) {
  let aim: { target: Started; moment: (typeof moments)[number]; left: number } | undefined;
  const url = await startProxy(service, async ({ method, forward, answer, cut }: Passing) => {
    const hit = aim !== undefined && method !== 'GET' && --aim.left === 0 ? aim : undefined;
    const strikes = (moment: string) =>
      hit?.moment === moment && hit.target.kill('SIGKILL') === true;
    if (strikes('before it arrives')) return cut();
    const answered = await forward();
    if (strikes('before its response')) return cut();
    await answer(answered);
    strikes('after its response');
  });
  return {
    baseUrl: `${url}/api`,
    aim(target: Started, moment: (typeof moments)[number]) {
      aim = { target, moment, left: 2 };
    },
  };
}

/** Every row may be mailed on one day, so that none is counted twice. */
async function batch(place: Place): Promise<Work> {
  const rows = 1200;
  const served = await serveHere(place);
  writePeople(place, rows);
  const line = [...batchLine, '--results', 'results.jsonl', '--concurrency', '2', '--quiet'];
  return {
    url: served.url,
    env: { ...served.env, MAILER_MAX_PER_DAY: String(rows) },
    start: line,
    resume: line,
    check: async () => expectResults(place, await expectEachOnce(place, served, rows)),
  };
}

/** Every other row was invalid, and is corrected. */
async function retry(place: Place): Promise<Work> {
  const served = await serveHere(place);
  const people = Array.from({ length: 2000 }, (_, index) => `p${index + 1}@example.org`);
  const write = (name: string, some: (to: string, index: number) => string) =>
    writeFileSync(join(place.home, name), ['to', ...people.map(some), ''].join('\n'));
  write('people.csv', (to, index) => (index % 2 === 1 ? 'nobody' : to));
  write('fixed.csv', (to) => to);
  const content = '--from hello@example.com --subject Hi --text Hello';
  const line = `email batch people.csv ${content} --skip-invalid --yes --quiet`;
  expect((await runHere(place, line, served)).exitCode).toBe(11);
  return {
    url: served.url,
    env: served.env,
    start:
      'run retry @last --status invalid --file fixed.csv --yes --quiet --concurrency 2 --results results.jsonl',
    resume: 'run resume @last --yes --quiet',
    async check() {
      const to = (await recorded(place, served)).map((email) => email.to);
      expect(to.toSorted()).toEqual(people.toSorted());
    },
  };
}

const numbered = (name: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${name}${index}@example.org`);

/** A book that asks everybody new to confirm, and whose queue advances with each list. */
const books = () => startContactService({ doubleOptIn: true, perRead: 2000 });

const ofBook = '--book Customers --yes --wait-timeout 1s --retries 1';

async function contactImport(place: Place): Promise<Work> {
  const service = await books();
  const people = numbered('p', 6500);
  const rows = people.map((email, index) => `${email},Person ${index}`);
  writeFileSync(join(place.home, 'people.csv'), ['email,first name', ...rows].join('\n'));
  const line = `contact import people.csv ${ofBook} --results results.jsonl`;
  return {
    url: service.baseUrl.replace('/api', ''),
    start: line,
    resume: line,
    finish: `${line} --resend-unknown`,
    async check(run) {
      expect(people.filter((email) => service.confirmations.get(email) !== 1)).toEqual([]);
      const names = people.map((email) => service.contacts.get(email)?.firstName);
      expect(names).toEqual(people.map((_, index) => `Person ${index}`));
      const results = readFileSync(join(place.home, 'results.jsonl'), 'utf8').trimEnd().split('\n');
      expect(results).toHaveLength(people.length);
      expect(JSON.parse((await run(`${line} --json`)).stdout)).toMatchObject({
        ...{ new: 0, changed: 0, unchanged: people.length },
      });
    },
  };
}

async function contactSync(place: Place): Promise<Work> {
  const service = await books();
  const added = numbered('new', 1500);
  const changed = numbered('old', 40);
  for (const email of [...changed, ...numbered('gone', 30)]) {
    service.add(email, { properties: { plan: 'free' } });
  }
  const left = { subscribed: false, unsubscribeReason: 'UNSUBSCRIBED' };
  for (const email of ['left@example.org', 'returns@example.org']) service.add(email, left);
  const kept = [...added, ...changed, 'returns@example.org'];
  const rows = kept.map((email) => `${email},pro,true`);
  writeFileSync(join(place.home, 'people.csv'), ['email,plan,subscribed', ...rows].join('\n'));
  const line = `contact sync people.csv ${ofBook} --delete-missing`;
  return {
    url: service.baseUrl.replace('/api', ''),
    start: line,
    resume: line,
    finish: `${line} --resend-unknown`,
    async check(run) {
      const book = [...service.contacts.values()];
      expect(book.map(({ email }) => email).sort()).toEqual([...kept, 'left@example.org'].sort());
      const plans = kept.map((email) => service.contacts.get(email)?.properties.plan);
      expect(new Set(plans)).toEqual(new Set(['pro']));
      expect(service.contacts.get('returns@example.org')?.subscribed).toBe(false);
      expect([...service.confirmations]).toHaveLength(added.length);
      expect(added.filter((email) => service.confirmations.get(email) !== 1)).toEqual([]);
      expect(JSON.parse((await run(`${line} --json`)).stdout)).toMatchObject({
        ...{ added: 0, changed: 0, deleted: 0, missing: 1 },
      });
    },
  };
}

test.for([
  ['email batch', batch],
  ['run retry', retry],
  ['contact import', contactImport],
  ['contact sync', contactSync],
] as const)(
  '%s, killed three times: nobody gets two, and nothing is left out',
  async ([, prepare]) => {
    const place = createPlace({ MAILER_API_KEY: 'us_key_1234567890' });
    const { url, env: own = {}, start, resume, finish = resume, check } = await prepare(place);
    const killer = await startKiller(url);
    const env = { ...own, MAILER_BASE_URL: killer.baseUrl };
    for (const [index, moment] of moments.entries()) {
      const run = place.start(index === 0 ? start : resume, { env });
      killer.aim(run, moment);
      const { exitCode, signal, stderr } = await finished(run);
      expect({ moment, exitCode, signal, stderr }).toMatchObject({ moment, signal: 'SIGKILL' });
    }
    const run = (line: Line) => runHere(place, line, { env });
    const { exitCode, stderr } = await run(finish);
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
    await check(run);
  },
);
