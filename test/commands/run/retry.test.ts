import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runsDirectory } from '../../support/batch-run.ts';
import { emailsIn } from '../../support/batch-service.ts';
import { type Connected, errorOf, fileIn } from '../../support/connected.ts';
import {
  bounce,
  everythingOnce,
  mailboxService,
  type StoredEmail,
} from '../../support/mailbox-service.ts';
import { createWorld } from '../../support/run.ts';

const people = ['ana', 'ben', 'cy', 'dan', 'eve'].map((name) => `${name}@example.org`);
const line = [
  ...['email', 'batch', 'people.csv', '--from', 'hello@example.com'],
  ...['--subject', 'Hi', '--text-file', 'hi.txt', '--yes', '--quiet', '--retries', '0'],
];
const csv = (to: readonly string[]) => ['to', ...to].join('\n');

interface Sent extends Connected {
  readonly emails: StoredEmail[];
  readonly refuses: Set<string>;
  /** Gives the newest email to an address this status. */
  become(to: string, status: string, data?: unknown): void;
  /** Fails the next request that sends. */
  fail(): void;
  /** The recipients of each request that sends, in order. */
  mailed(): string[][];
}

/** A service to which a file was sent. */
async function sentTo(to: readonly string[] = people, ...refused: string[]): Promise<Sent> {
  const emails: StoredEmail[] = [];
  const refuses = new Set(refused);
  const setup = await mailboxService(emails, () => {}, refuses);
  setup.file('people.csv', csv(to));
  setup.file('hi.txt', 'Hello');
  await setup.run([...line, '--skip-invalid']);
  setup.world.clock.advance(60_000);
  return {
    ...setup,
    ...{ emails, refuses },
    become(address, status, data) {
      const email = emails.find(({ to }) => to.includes(address));
      if (email === undefined) throw new Error(`No email to ${address}`);
      email.latestStatus = status;
      const at = new Date(setup.world.clock.now).toISOString();
      email.emailEvents.push({ status, createdAt: at, data });
    },
    fail: () => refuses.add(everythingOnce),
    mailed: () =>
      setup.service.requests
        .filter(({ method }) => method === 'POST')
        .map((request) => emailsIn(request).map(({ to }) => to)),
  };
}

const full = (to: string) => bounce('Transient', '452 4.2.2 The mailbox is full', to).data;
const gone = (to: string) => bounce('Permanent', '550 5.1.1 no such mailbox', to).data;

/** Five people: one each bounced for a while, bounced permanently, got it, waits, and complained. */
async function withOneEach(): Promise<Sent> {
  const at = await sentTo();
  at.become('ana@example.org', 'BOUNCED', full('ana@example.org'));
  at.become('ben@example.org', 'BOUNCED', gone('ben@example.org'));
  at.become('cy@example.org', 'DELIVERED');
  at.become('dan@example.org', 'DELIVERY_DELAYED');
  at.become('eve@example.org', 'DELIVERED');
  at.become('eve@example.org', 'COMPLAINED');
  return at;
}

/** The name of the first run. */
const firstRun = async ({ run }: Sent) => {
  const runs = JSON.parse((await run('run list --json')).stdout);
  return String(runs.find((one: { retryOf?: string }) => one.retryOf === undefined)?.run);
};

describe('run retry', () => {
  test('sends only the rows that ended so, says which and why, and links the runs', async () => {
    const at = await withOneEach();
    const first = await firstRun(at);
    const outcome = await at.run(`run retry ${first} --status bounced-transient --yes`);
    expect(outcome).toMatchObject({ exitCode: 0 });
    expect(outcome.stderr).toContain('1 of 5 rows will be sent again:');
    expect(outcome.stderr).toMatch(/ 1 BOUNCED: .*mailbox is full.* \(ana@example.org\)/);
    expect(outcome.stderr).toMatch(
      /left alone: .*1 bounced permanently.*1 delivered.*1 waiting.*1 complained/,
    );
    expect(at.mailed().slice(1)).toEqual([['ana@example.org']]);
    const posts = at.service.requests.filter(({ method }) => method === 'POST');
    const keys = posts.map(({ headers }) => headers['idempotency-key']);
    expect(new Set(keys).size).toBe(2);
    const chain = JSON.parse((await at.run(`run get ${first} --json`)).stdout);
    const [second] = chain.retriedBy;
    expect(JSON.parse((await at.run(`run get ${second} --json`)).stdout)).toMatchObject({
      ...{ retryOf: first, emails: 1, accepted: 1, state: 'complete' },
    });
  });

  test.each(['bounced-transient,rejected,failed,invalid,policy', 'rejected', 'failed'])(
    '%s never mails who has it, may get it, or never will',
    async (statuses) => {
      const at = await withOneEach();
      at.become('ana@example.org', 'DELIVERED');
      const outcome = await at.run(`run retry @last --status ${statuses} --yes`);
      expect(outcome.exitCode).toBe(2);
      expect(outcome.stderr).toContain('can be retried');
      expect(at.mailed()).toHaveLength(1);
      const empty = await at.run(`run retry @last --status ${statuses} --yes --allow-empty`);
      expect(empty.exitCode).toBe(0);
    },
  );

  test.each(['delivered', 'bounced', 'complained', 'suppressed', 'queued', 'opted_out'])(
    '--status %s is an error',
    async (status) => {
      const at = await withOneEach();
      const outcome = await at.run(`run retry @last --status ${status} --yes`);
      expect(outcome.exitCode).toBe(2);
      expect(at.mailed()).toHaveLength(1);
    },
  );

  test('a second retry sees what became of the first', async () => {
    const at = await withOneEach();
    const first = await firstRun(at);
    const again = `run retry ${first} --status bounced-transient --yes`;
    await at.run(again);
    expect((await at.run(again)).stderr).toContain('can be retried');
    at.become('ana@example.org', 'DELIVERED');
    expect((await at.run(again)).exitCode).toBe(2);
    expect(at.mailed()).toHaveLength(2);
  });

  test('a row is retried again only if its retry ended so, also by the name of the retry', async () => {
    const at = await withOneEach();
    const first = await firstRun(at);
    await at.run(`run retry ${first} --status bounced-transient --yes`);
    at.become('ana@example.org', 'BOUNCED', full('ana@example.org'));
    const [second] = JSON.parse((await at.run(`run get ${first} --json`)).stdout).retriedBy;
    expect(await at.run(`run retry ${second} --status bounced-transient --yes`)).toMatchObject({
      exitCode: 0,
    });
    at.become('ana@example.org', 'DELIVERED');
    expect(at.mailed().slice(1)).toEqual([['ana@example.org'], ['ana@example.org']]);
    for (const name of [first, second]) {
      const more = await at.run(`run retry ${name} --status bounced-transient --yes`);
      expect(more.exitCode).toBe(2);
      expect(more.stderr.includes(`mailer run retry ${first.slice(0, 8)}`)).toBe(name === second);
    }
    expect(at.mailed()).toHaveLength(3);
  });

  test('a digest that was approved for one retry is not one of the next', async () => {
    const at = await withOneEach();
    const again = `run retry ${await firstRun(at)} --status bounced-transient`;
    const digestOf = async () =>
      JSON.parse((await at.run(`${again} --dry-run --json`)).stdout).digest;
    const first = await digestOf();
    expect((await at.run(`${again} --yes --expect ${first}`)).exitCode).toBe(0);
    at.become('ana@example.org', 'BOUNCED', full('ana@example.org'));
    expect((await at.run(`${again} --yes --expect ${first}`)).exitCode).toBe(2);
    expect(at.mailed()).toHaveLength(2);
    expect((await at.run(`${again} --yes --expect ${await digestOf()}`)).exitCode).toBe(0);
    expect(at.mailed()).toHaveLength(3);
  });

  test('an email to several is retried only if it bounced for all', async () => {
    const at = await sentTo(['"ana@example.org, ben@example.org"']);
    at.become('ana@example.org', 'BOUNCED', full('ana@example.org'));
    const again = 'run retry @last --status bounced-transient --yes';
    expect((await at.run(again)).stderr).toContain('can be retried');
    at.become('ben@example.org', 'BOUNCED', full('ben@example.org'));
    expect((await at.run(again)).exitCode).toBe(0);
  });

  test('rows that the service rejected are sent again by their number', async () => {
    const at = await sentTo(people, 'ben@example.org');
    at.refuses.clear();
    const outcome = await at.run('run retry @last --status rejected --yes --jsonl');
    expect(JSON.parse(outcome.stdout)).toEqual({
      ...{ row: 2, to: 'ben@example.org', emailId: expect.any(String) },
    });
    expect(at.mailed().at(-1)).toEqual(['ben@example.org']);
  });

  test('what a policy forbade is sent once it allows it', async () => {
    const at = await sentTo();
    at.file('other.csv', csv(['fay@example.org', 'gus@example.org']));
    const words = line.map((word) => (word === 'people.csv' ? 'other.csv' : word));
    const deny = { MAILER_DENY_TO: 'fay@example.org' };
    await at.run([...words, '--skip-invalid'], { env: deny });
    const again = 'run retry @last --status policy --yes';
    expect((await at.run(again, { env: deny })).exitCode).toBe(2);
    expect((await at.run(again)).exitCode).toBe(0);
    expect(at.mailed().slice(1)).toEqual([['gus@example.org'], ['fay@example.org']]);
  });

  test('--dry-run shows the request in a sandbox, too', async () => {
    const world = createWorld();
    const people = join(world.home, 'people.csv');
    writeFileSync(people, csv(['full@example.org', 'ana@example.org']));
    const sandbox = ['--sandbox', '--from', 'hello@example.com', '--subject', 'Hi', '--text', 'Hi'];
    await world.run(['email', 'batch', people, '--yes', ...sandbox]);
    world.clock.advance(60_000);
    const { exitCode, stdout } = await world.run(
      'run retry @last --status bounced-transient --dry-run --sandbox --json',
    );
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      method: 'POST',
      body: [{ to: 'full@example.org' }],
    });
  });

  test('needs a yes, and --dry-run and --expect work as for a batch', async () => {
    const at = await withOneEach();
    const again = 'run retry @last --status bounced-transient';
    expect((await at.run(again)).stderr).toContain('--yes');
    const dry = JSON.parse((await at.run(`${again} --dry-run --json`)).stdout);
    expect(dry.body).toHaveLength(1);
    expect(at.mailed()).toHaveLength(1);
    const other = await at.run(`${again} --yes --expect ${'0'.repeat(64)}`);
    expect(other.exitCode).toBe(2);
    expect(at.mailed()).toHaveLength(1);
    expect((await at.run(`${again} --yes --expect ${dry.digest}`)).exitCode).toBe(0);
    expect(at.mailed()).toHaveLength(2);
  });

  test('the policy applies', async () => {
    const at = await withOneEach();
    const again = 'run retry @last --status bounced-transient --yes';
    const outcome = await at.run(again, { env: { MAILER_DENY_TO: 'ana@example.org' } });
    expect(outcome.exitCode).toBe(2);
    expect(outcome.stderr).toContain('MAILER_DENY_TO');
    expect(at.mailed()).toHaveLength(1);
  });

  test('a status that the service does not tell stops everything', async () => {
    const at = await withOneEach();
    at.emails.splice(
      at.emails.findIndex(({ to }) => to.includes('cy@example.org')),
      1,
    );
    const outcome = await at.run('run retry @last --status bounced-transient --yes');
    expect(outcome.exitCode).toBe(2);
    expect(outcome.stderr).toMatch(/does not report the status.*3 \(em_3\)/);
    expect(at.mailed()).toHaveLength(1);
  });

  test('a retry that stopped is resumed, and until then there is no other', async () => {
    const at = await withOneEach();
    const first = await firstRun(at);
    const again = `run retry ${first} --status bounced-transient --yes --retries 0`;
    at.fail();
    const stopped = await at.run(again);
    expect(stopped.exitCode).toBe(7);
    const [, resume = ''] = /^mailer (run resume .+)$/m.exec(stopped.stderr) ?? [];
    const other = await at.run(again);
    expect(other.exitCode).toBe(2);
    expect(other.stderr).toContain('could send an email twice');
    expect(other.stderr).toContain('mailer run resume');
    const sent = at.mailed().length;
    expect((await at.run(resume)).exitCode).toBe(0);
    expect(at.mailed().slice(sent)).toEqual([['ana@example.org']]);
    expect((await at.run(again)).exitCode).toBe(2);
    expect((await at.run(resume)).exitCode).toBe(0);
    expect(at.mailed()).toHaveLength(sent + 1);
  });

  test('a retry is deleted without a question only if no other could send its emails again', async () => {
    const at = await withOneEach();
    const first = await firstRun(at);
    const retry = `run retry ${first} --status bounced-transient --yes`;
    await at.run(retry);
    const second = String(JSON.parse((await at.run('run list --json')).stdout)[0].run);
    const refused = await at.run(`run delete ${second} --yes`);
    expect(refused).toMatchObject({ exitCode: 2, stdout: '' });
    expect(refused.stderr).toBe(
      `Error: Run ${second.slice(0, 8)} is a retry. Without its journal, another retry of ${first.slice(0, 8)} could send its emails again.
Hint: Nothing was deleted. To delete the earlier run first: mailer run delete ${first.slice(0, 8)}
To delete this one all the same, add --forget-retry.
`,
    );
    const forgotten = await at.run(`run delete ${second} --yes --forget-retry`);
    expect(forgotten.exitCode).toBe(0);
    expect((await at.run(retry)).exitCode).toBe(0);
    const third = String(JSON.parse((await at.run('run list --json')).stdout)[0].run);
    expect((await at.run(`run delete ${first} --yes`)).exitCode).toBe(0);
    expect((await at.run(`run delete ${third} --yes`)).exitCode).toBe(0);
  });

  test('before a retry is deleted, it is said that another may send its emails again', async () => {
    const at = await withOneEach();
    const first = await firstRun(at);
    await at.run(`run retry ${first} --status bounced-transient --yes`);
    const [second = ''] = JSON.parse((await at.run(`run get ${first} --json`)).stdout).retriedBy;
    const { exitCode, stderr } = await at.run(['run', 'delete', second]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(
      `complete, 1 email; without its journal, a retry of ${first.slice(0, 8)} may send them again.`,
    );
  });

  test('two at the same time send once', async () => {
    const at = await withOneEach();
    const again = `run retry ${await firstRun(at)} --status bounced-transient --yes`;
    const both = await Promise.all([at.run(again), at.run(again)]);
    expect(both.map(({ exitCode }) => exitCode).sort()).not.toEqual([0, 0]);
    expect(at.mailed().slice(1)).toEqual([['ana@example.org']]);
  });
});

test.each([
  ['failed to render last', [], 1],
  ['was queued again after that', ['QUEUED'], 0],
  ['was sent after all', ['SENT'], 0],
])('an email that is listed as queued and %s', async (_, later, retried) => {
  const at = await sentTo();
  const [email] = at.emails;
  if (email === undefined) throw new Error('nothing was sent');
  const events = ['RENDERING_FAILURE', ...later].map((status, index) => ({
    status,
    createdAt: new Date(at.world.clock.now + index).toISOString(),
  }));
  email.emailEvents.push(...events);
  at.world.clock.advance(120_000);
  await at.run('run retry @last --status failed --yes');
  expect(at.mailed().slice(1)).toHaveLength(retried);
});

describe('run retry and the file', () => {
  test('a file that has changed stops it, and the error names the rows', async () => {
    const at = await withOneEach();
    at.file('people.csv', csv([people[1] ?? '', people[0] ?? '', ...people.slice(2)]));
    const outcome = await at.run('run retry @last --status bounced-transient --yes');
    expect(outcome.exitCode).toBe(2);
    expect(outcome.stderr).toContain('row 1 was for ana@example.org, and is for ben@example.org');
    expect(at.mailed()).toHaveLength(1);
  });

  test('rows may be added at the end, and text may change; a missing row is named', async () => {
    const at = await withOneEach();
    at.file('people.csv', csv(people.slice(0, 4)));
    const again = 'run retry @last --status bounced-transient --yes';
    expect((await at.run(again)).stderr).toContain('row 5 is missing');
    at.file('people.csv', csv([...people, 'new@example.org']));
    expect((await at.run(again)).exitCode).toBe(0);
    expect(at.mailed().slice(1)).toEqual([['ana@example.org']]);
  });

  test('--file takes corrected invalid rows, also with other recipients', async () => {
    const at = await sentTo([...people, 'nobody', 'nothing']);
    const fixed = at.file('fixed.csv', csv([...people, 'fay@example.org', 'nothing']));
    const outcome = await at.run(`run retry @last --status invalid --file ${fixed} --yes --jsonl`);
    expect(outcome.exitCode).toBe(11);
    expect(at.mailed().slice(1)).toEqual([['fay@example.org']]);
    // The corrected row has its recipient now.
    const first = await firstRun(at);
    const again = await at.run(`run retry ${first} --status invalid --yes`);
    expect(again.stderr).toMatch(/row 7|1 row of 1/);
    at.file('fixed.csv', csv([...people, 'fay@example.org', 'gus@example.org']));
    await at.run(`run retry ${first} --status invalid --yes`);
    expect(at.mailed().slice(2)).toEqual([['gus@example.org']]);
  });

  test('a value that looks like a placeholder stops it, unless it is meant', async () => {
    const { file, run, world, service } = await mailboxService([]);
    const rows = (second: string) => `to,name\nana@example.org,Ana\n${second}\n`;
    file('people.csv', rows('nobody,Ben'));
    const text = ['--subject', 'Hi', '--text', 'Hi {{ name }}', '--from', 'hello@example.com'];
    await run(['email', 'batch', 'people.csv', ...text, '--skip-invalid', '--yes']);
    world.clock.advance(60_000);
    const fixed = file('fixed.csv', rows('ben@example.org,{{ first_name }}'));
    const again = `run retry @last --status invalid --file ${fixed} --yes`;
    const stopped = await run(again);
    expect(stopped.exitCode).toBe(2);
    expect(stopped.stderr).toContain('--literal');
    const sent = () => service.requests.filter(({ method }) => method === 'POST');
    expect(sent()).toHaveLength(1);
    expect(await run(`${again} --literal`)).toMatchObject({ exitCode: 0 });
    expect(sent().at(-1)?.body).toContain('Hi {{ first_name }}');
  });

  test('a corrected recipient of another row is an error', async () => {
    const at = await sentTo(people, 'ben@example.org');
    const fixed = at.file('fixed.csv', csv(['ana@example.org', 'bea@example.org', 'x@y.example']));
    const outcome = await at.run(`run retry @last --status rejected --file ${fixed} --yes`);
    expect(outcome.exitCode).toBe(2);
    expect(outcome.stderr).toContain('row 2 was for ben@example.org, and is for bea@example.org');
    expect(outcome.stderr).toContain('only in invalid rows');
    expect(at.mailed().flat()).not.toContain('bea@example.org');
  });

  test('a shifted file does not lead an invalid row to somebody who has the email', async () => {
    const at = await sentTo(['nobody', ...people]);
    const fixed = at.file('fixed.csv', csv(people));
    const outcome = await at.run(`run retry @last --status invalid --file ${fixed} --yes`);
    expect(outcome.exitCode).toBe(2);
    expect(at.mailed()).toHaveLength(1);
  });

  test('rows from stdin need --file', async () => {
    const at = await sentTo();
    const words = line.map((word) => (word === 'people.csv' ? '-' : word));
    await at.run(words, { stdin: csv(['zoe@example.org']) });
    at.become('zoe@example.org', 'FAILED');
    const again = 'run retry @last --status failed --yes';
    expect((await at.run(again)).stderr).toContain('--file');
    const fixed = at.file('zoe.csv', csv(['zoe@example.org']));
    expect((await at.run(`${again} --file ${fixed}`)).exitCode).toBe(0);
    expect(at.mailed().at(-1)).toEqual(['zoe@example.org']);
  });

  test('runs anywhere with the files of the run; a changed template is an error', async () => {
    const at = await withOneEach();
    fileIn(at.world, 'hi.txt', 'Changed');
    const again = 'run retry @last --status bounced-transient --yes';
    const changed = await at.run(again);
    expect(changed.exitCode).toBe(2);
    expect(changed.stderr).toContain('Changed since that run, by a setting or a file: text.');
    expect(at.mailed()).toHaveLength(1);
  });
});

describe('run retry of an unknown outcome', () => {
  async function withUnknown(): Promise<Sent> {
    const at = await sentTo(['ana@example.org']);
    const directory = runsDirectory(at.world);
    const name = readdirSync(directory).find((one) => one !== 'locks') ?? '';
    const { DatabaseSync } = await import('node:sqlite');
    const journal = new DatabaseSync(join(directory, name, 'journal.sqlite'));
    journal.function('checksum', { varargs: true }, () => null);
    journal.exec("UPDATE part SET state = 'unknown', ids = NULL, problem = 'no response'");
    journal.close();
    return at;
  }

  test('needs --resend-unknown, and says that it may mail twice', async () => {
    const at = await withUnknown();
    const plain = await at.run('run retry @last --status unknown --yes --json');
    expect(errorOf(plain)).toMatchObject({
      message: expect.stringContaining('twice'),
      hint: expect.stringContaining('--resend-unknown'),
    });
    const other = await at.run('run retry @last --status failed --resend-unknown --yes');
    expect(other.exitCode).toBe(2);
    expect(at.mailed()).toHaveLength(1);
    const resent = await at.run('run retry @last --status unknown --resend-unknown --yes');
    expect(resent.stderr).toContain('get them twice');
    expect(at.mailed()).toHaveLength(2);
  });
});

test('in the sandbox, what may pass is retried and the rest is not', async () => {
  const world = createWorld();
  const to = ['transient', 'full', 'blocked', 'bounced', 'late-bounce', 'greylisted', 'ana'];
  fileIn(world, 'people.csv', csv(to.map((name) => `${name}@example.org`)));
  await world.run(
    'email batch people.csv --sandbox --from a@example.com --subject Hi --text T --yes',
  );
  world.clock.advance(60_000);
  const outcome = await world.run(
    'run retry @last --sandbox --status bounced-transient --yes --jsonl --fields to',
  );
  expect(outcome.stdout.match(/\w+@/g)).toEqual(['transient@', 'full@', 'blocked@']);
});
