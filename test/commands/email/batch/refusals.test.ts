import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { everybody } from '../../../support/batch.ts';
import { accept, emailsIn, refuseNamed, refuseUnnamed } from '../../../support/batch-service.ts';
import { type Connected, connected, key } from '../../../support/connected.ts';
import { peopleCsv } from '../../../support/people.ts';
import type { Answer } from '../../../support/recorder.ts';

const line = 'email batch people.csv --from hello@example.com --subject Hi --text Hello --yes';
const wrongDomain = 'The domain example.com is not verified';

type Handler = Extract<Answer, (...all: never[]) => unknown>;

/** A service that responds in this way until it is told otherwise. */
async function serving(rows: number, first: Handler) {
  let answer = first;
  const answers = Array<Answer>(5000).fill((response, request) => answer(response, request));
  const setup = await connected(...answers);
  setup.file('people.csv', peopleCsv(rows));
  const become = (next: Handler) => {
    answer = next;
  };
  return { ...setup, become };
}

/** Rejects every request without naming emails. */
const refuseAll: Handler = (response) => {
  response.writeHead(400, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ error: { code: 'BAD_REQUEST', message: wrongDomain } }));
};

/** Rejects every request and names the sender of each email. */
const refuseEach: Handler = (response, request) => {
  const issues = emailsIn(request).map((_, index) => ({
    code: 'custom',
    path: [index, 'from'],
    message: wrongDomain,
  }));
  response.writeHead(400, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ success: false, error: { issues, name: 'ZodError' } }));
};

function answeringWith(status: number): Handler {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: { code: 'X', message: 'Your quota is used up' } }));
  };
}

/** The recipients of all accepted emails. */
function createInbox(): { readonly to: string[]; readonly accept: Handler } {
  const to: string[] = [];
  return {
    to,
    accept(response, request) {
      to.push(...emailsIn(request).map((email) => email.to));
      accept(response, request);
    },
  };
}

/** All files in the runs directory, as text. */
function keptText({ world }: Connected): string {
  const state = join(world.home, '.local', 'state', 'mailer', 'runs');
  return readdirSync(state, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('');
}

describe('a refusal that is not about the emails', () => {
  test.for([
    [1000, 'unnamed', refuseAll],
    [1000, 'named', refuseEach],
    [300, 'named', refuseEach],
    [5, 'unnamed', refuseAll],
    [1, 'named', refuseEach],
  ] as const)(
    'of all %d, %s: 1; once it is mended the same line sends to everybody',
    async ([rows, , refuse]) => {
      const inbox = createInbox();
      const { run, become, service } = await serving(rows, refuse);
      const stopped = await run(line);
      expect(stopped).toMatchObject({ exitCode: 1, stdout: '' });
      expect(stopped.stderr).toContain(wrongDomain);
      expect(stopped.stderr).toMatch(
        /rejected all recent emails.*--keep-going.*0 of [\d,]+ email/s,
      );
      become(inbox.accept);
      const before = service.requests.length;
      expect(await run(line)).toMatchObject({ exitCode: 0 });
      expect(inbox.to.toSorted()).toEqual(everybody(rows).toSorted());
      expect(service.requests.length - before).toBe(Math.ceil(rows / 100));
    },
  );

  test('during a run: accepted emails stay so, and nobody is given up', async () => {
    const inbox = createInbox();
    const setup = await serving(2000, (response, request) => {
      const taken = inbox.to.length < 600;
      (taken ? inbox.accept : refuseAll)(response, request);
    });
    expect(await setup.run(line)).toMatchObject({ exitCode: 1 });
    const { stdout } = await setup.run('run list --json');
    expect(JSON.parse(stdout)[0]).toMatchObject({ accepted: 600, rejected: 0 });
    expect(setup.service.requests.length).toBeLessThan(200);
    setup.become(inbox.accept);
    expect(await setup.run(line)).toMatchObject({ exitCode: 0 });
    expect(inbox.to.toSorted()).toEqual(everybody(2000).toSorted());
  });

  test.for([402, 405, 451])('by %d ends the run at once', async (status) => {
    const inbox = createInbox();
    const { run, become, service } = await serving(300, answeringWith(status));
    expect(await run([...line.split(' '), '--concurrency', '1'])).toMatchObject({ exitCode: 1 });
    expect(service.requests).toHaveLength(1);
    become(inbox.accept);
    expect(await run(line)).toMatchObject({ exitCode: 0 });
    expect(inbox.to.toSorted()).toEqual(everybody(300).toSorted());
  });

  test('counts as one about the emails with --keep-going', async () => {
    const { run, become, service } = await serving(250, refuseEach);
    const { exitCode, stdout } = await run(`${line} --keep-going --jsonl`);
    expect(exitCode).toBe(11);
    const rows = stdout.trimEnd().split('\n');
    expect(rows).toHaveLength(250);
    expect(rows.every((row) => row.includes(wrongDomain))).toBe(true);
    become(accept);
    const before = service.requests.length;
    expect(await run(line)).toMatchObject({ exitCode: 11 });
    expect(service.requests).toHaveLength(before);
  });
});

describe('emails rejected before a run broke off are not given up', () => {
  /** Rejects the requests with these numbers, from 1. */
  const sequence =
    (refused: (request: number) => boolean, otherwise: Handler): Handler =>
    (response, request) => {
      requests++;
      (refused(requests) ? refuseEach : otherwise)(response, request);
    };
  let requests = 0;

  test.for([
    ['an acceptance that comes after the stop', (one: number) => one > 1, accept],
    ['another error', (one: number) => one < 3, answeringWith(500)],
  ] as const)('%s', async ([, refused, otherwise]) => {
    requests = 0;
    const inbox = createInbox();
    const { run, become } = await serving(1000, sequence(refused, otherwise));
    const words = [...line.split(' '), '--retries', '0', '--concurrency', '1'];
    expect([1, 7]).toContain((await run(words)).exitCode);
    become(inbox.accept);
    expect(await run(words)).toMatchObject({ exitCode: 0 });
    expect(new Set(inbox.to).size).toBe(inbox.to.length);
    expect(inbox.to.length).toBeGreaterThanOrEqual(900);
  });

  test('an interrupt', async () => {
    const inbox = createInbox();
    const controller = new AbortController();
    const { run, become } = await serving(1000, (response, request) => {
      if (emailsIn(request).some(({ to }) => to === 'p950@example.org')) {
        controller.abort(new Error('stop'));
      }
      if (emailsIn(request).length < 100) inbox.accept(response, request);
      else refuseNamed(...everybody(1000).filter((_, index) => index % 3 === 0))(response, request);
    });
    await run([...line.split(' '), '--concurrency', '1'], { signal: controller.signal });
    become(inbox.accept);
    expect(await run(line)).toMatchObject({ exitCode: 0 });
    expect(inbox.to.toSorted()).toEqual(everybody(1000).toSorted());
  });
});

describe('a run that was broken off with many refused addresses', () => {
  const bad = everybody(3000).filter((_, index) => index % 100 === 7);
  const refusing: readonly (readonly [string, (inbox: Handler) => Handler])[] = [
    ['named', (inbox) => otherwise(inbox, refuseNamed(...bad))],
    ['not named', (inbox) => otherwise(inbox, refuseUnnamed(...bad))],
  ];
  const otherwise =
    (inbox: Handler, refuse: Handler): Handler =>
    (response, request) => {
      const isGood = emailsIn(request).every(({ to }) => !bad.includes(to));
      (isGood ? inbox : refuse)(response, request);
    };

  test.for(
    refusing.flatMap(([name, refuse]) => ['1', '8'].map((many) => [name, many, refuse] as const)),
  )('continues with the others, %s, at a concurrency of %s', async ([, concurrency, refuse]) => {
    const inbox = createInbox();
    const answer = refuse(inbox.accept);
    const { run, become } = await serving(900, (response, request) => {
      (inbox.to.length < 600 ? answer : answeringWith(429))(response, request);
    });
    const words = `${line} --concurrency ${concurrency}`;
    expect((await run(`${words} --retries 0`)).exitCode).toBe(6);
    become(answer);
    const { exitCode, stderr } = await run(words);
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 11 });
    expect(stderr).toContain('Accepted 891 of 900 emails; 9 rejected.');
    expect(inbox.to.toSorted()).toEqual(
      everybody(900)
        .filter((to) => !bad.includes(to))
        .toSorted(),
    );
  });

  test('sends these once more, after the others', async () => {
    const inbox = createInbox();
    const { run, become } = await serving(3000, (response, request) => {
      const answer = otherwise(inbox.accept, refuseNamed(...bad));
      (inbox.to.length < 2500 ? answer : answeringWith(503))(response, request);
    });
    const words = `${line} --concurrency 1`;
    expect((await run(`${words} --retries 0`)).exitCode).toBe(7);
    become(inbox.accept);
    expect(await run(words)).toMatchObject({ exitCode: 0 });
    expect(inbox.to.toSorted()).toEqual(everybody(3000).toSorted());
    expect(inbox.to.slice(-20)).toEqual(bad.slice(6, 26));
  });

  test('stops if the others are rejected now, and gives nobody up however often it is run', async () => {
    const inbox = createInbox();
    const { run, become } = await serving(1500, (response, request) => {
      const answer = otherwise(inbox.accept, refuseNamed(...bad));
      (inbox.to.length < 1100 ? answer : refuseEach)(response, request);
    });
    const words = `${line} --concurrency 1`;
    for (const _ of [1, 2, 3]) expect((await run(words)).exitCode).toBe(1);
    become(inbox.accept);
    expect(await run(words)).toMatchObject({ exitCode: 0 });
    expect(inbox.to.toSorted()).toEqual(everybody(1500).toSorted());
  });
});

describe('what ends a run names rows and addresses, and no places in a request:', () => {
  test('one', async () => {
    const { run } = await serving(250, refuseNamed(...everybody(250)));
    const bad = everybody(130).slice(100);
    const single = await serving(131, refuseUnnamed(...bad));
    const { stderr, exitCode } = await single.run(`${line} --concurrency 1`);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^Error: row 1\d\d \(p1\d\d@example\.org\): One of these is bad\n/);
    expect((await run(`${line} --concurrency 1 --json`)).stderr).not.toContain('issues');
  });

  test('several', async () => {
    const { run } = await serving(250, refuseNamed(...everybody(250)));
    const { stderr } = await run(`${line} --concurrency 1`);
    expect(stderr).toMatch(
      /^Error: The service rejected:\n {2}row 1 \(p1@example\.org\): to: no p1@example\.org\n {2}row 2 /,
    );
    expect(stderr).toContain(
      '\n  row 10 (p10@example.org): to: no p10@example.org\n  and 90 more\n',
    );
    expect(stderr).not.toContain('[0]');
  });

  test('of a rejection that is not about emails, too', async () => {
    const { run } = await serving(3, (response) => {
      const issues = [{ code: 'custom', path: [1, 'attachments', 0], message: 'not in your plan' }];
      response.writeHead(402, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ success: false, error: { issues, name: 'ZodError' } }));
    });
    const { stderr } = await run(line);
    expect(stderr).toMatch(
      /^Error: row 2 \(p2@example\.org\): attachments\[0\]: not in your plan\n/,
    );
  });
});

test('a list with a bad email in every hundred goes out, at any concurrency', async () => {
  const bad = everybody(1200).filter((_, index) => index % 100 === 7);
  for (const concurrency of ['1', '16']) {
    const { run } = await serving(1200, refuseNamed(...bad));
    const { exitCode, stderr } = await run(`${line} --concurrency ${concurrency}`);
    expect({ exitCode, concurrency }).toEqual({ exitCode: 11, concurrency });
    expect(stderr).toContain('Accepted 1,188 of 1,200 emails; 12 rejected.');
  }
});

test('a domain that is lost near the end is no reason to give up the rest', async () => {
  const inbox = createInbox();
  const { run, become } = await serving(150, (response, request) => {
    (inbox.to.length === 0 ? inbox.accept : refuseEach)(response, request);
  });
  expect(await run(`${line} --concurrency 1`)).toMatchObject({ exitCode: 1 });
  become(inbox.accept);
  expect(await run(line)).toMatchObject({ exitCode: 0 });
  expect(inbox.to).toEqual(everybody(150));
});

describe('400 to a repetition of a request that had no answer', () => {
  async function repeatedWith(refusal: Handler) {
    const inbox = createInbox();
    let requests = 0;
    const setup = await serving(250, (response, request) => {
      requests++;
      if (requests === 3) return refusal(response, request);
      if (requests !== 2) return inbox.accept(response, request);
      response.destroy();
    });
    const outcome = await setup.run(`${line} --concurrency 1`);
    return { ...setup, inbox, outcome };
  }

  test('may be about something else, and divides nothing: it is asked again under its key', async () => {
    const { run, become, inbox, outcome, service } = await repeatedWith(refuseAll);
    expect(outcome.exitCode).toBe(1);
    expect(outcome.stderr).toMatch(
      /Hint: An earlier response was lost, .* retried unchanged, and not split\. Once it is 24 hours old, --resend-unknown resends them\. 150 of 250 emails are accepted so far, 100 have no response/,
    );
    become(inbox.accept);
    expect(await run(line)).toMatchObject({ exitCode: 0 });
    expect(new Set(service.requests.map(({ headers }) => headers['idempotency-key'])).size).toBe(3);
  });

  test('that names emails is about these: they were never valid', async () => {
    const { outcome } = await repeatedWith(refuseNamed('p150@example.org'));
    expect(outcome.exitCode).toBe(11);
    expect(outcome.stderr).toContain('Accepted 249 of 250 emails; 1 rejected.');
  });
});

test('a run that sent nothing is replaced by one with a corrected flag', async () => {
  const { run, become } = await serving(5, refuseAll);
  expect(await run(line)).toMatchObject({ exitCode: 1 });
  become(accept);
  const mended = line.replace('hello@example.com', 'hello@example.org');
  expect(await run(mended)).toMatchObject({ exitCode: 0 });
  const { stdout } = await run('run list --json');
  expect(JSON.parse(stdout)).toMatchObject([{ state: 'complete', accepted: 5 }]);
  const first = await run(line);
  // Another sender does not make it another email.
  expect(first).toMatchObject({ exitCode: 5 });
  expect(first.stderr).toContain('people.csv was sent at');
});

test('many bad emails in one request are no reason to stop', async () => {
  const bad = everybody(90);
  const { run } = await serving(300, refuseNamed(...bad));
  const { exitCode, stderr } = await run(line);
  expect(exitCode).toBe(11);
  expect(stderr).toContain('Accepted 210 of 300 emails; 90 rejected.');
});

describe('413 of a proxy', () => {
  const tooLarge: Handler = (response) => {
    response.writeHead(413, { 'content-type': 'text/html' });
    response.end('<html>Request Entity Too Large</html>');
  };

  test('makes requests smaller', async () => {
    const inbox = createInbox();
    const { run } = await serving(100, (response, request) => {
      (emailsIn(request).length > 30 ? tooLarge : inbox.accept)(response, request);
    });
    expect(await run(line)).toMatchObject({ exitCode: 0 });
    expect(inbox.to.toSorted()).toEqual(everybody(100).toSorted());
  });

  test('is forgotten when the run is resumed, if all smaller requests were accepted', async () => {
    const inbox = createInbox();
    let requests = 0;
    const { run, become } = await serving(200, (response, request) => {
      requests++;
      const answer = [tooLarge, inbox.accept, inbox.accept][requests - 1] ?? answeringWith(500);
      answer(response, request);
    });
    const words = `${line} --retries 0 --concurrency 1`;
    expect(await run(words)).toMatchObject({ exitCode: 7 });
    become(inbox.accept);
    expect(await run(words)).toMatchObject({ exitCode: 0 });
    expect(inbox.to.toSorted()).toEqual(everybody(200).toSorted());
  });

  test.for(['in the same run', 'in the next run'])(
    'after an answer that was lost ends the run: the service may have them, %s',
    async (when) => {
      const inbox = createInbox();
      let asked = 0;
      const { run, become, service } = await serving(100, (response, request) => {
        asked++;
        if (asked > 1) return tooLarge(response, request);
        inbox.to.push(...emailsIn(request).map(({ to }) => to));
        response.destroy();
      });
      if (when === 'in the next run') {
        expect(await run(`${line} --retries 0`)).toMatchObject({ exitCode: 7 });
      }
      expect(await run(line)).toMatchObject({ exitCode: 1 });
      become(accept);
      expect(await run(line)).toMatchObject({ exitCode: 0 });
      expect(new Set(service.requests.map(({ headers }) => headers['idempotency-key'])).size).toBe(
        1,
      );
      expect(inbox.to).toEqual(everybody(100));
    },
  );
});

test.each([key, '1234567', 'wordlike'])(
  'the key %s that the service quotes is not kept',
  async (secret) => {
    const env = { MAILER_API_KEY: secret };
    const setup = await serving(2, (response, request) => {
      if (emailsIn(request).every(({ to }) => to !== 'p1@example.org')) {
        return accept(response, request);
      }
      response.writeHead(400, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify({ error: { code: 'BAD_REQUEST', message: `not for ${secret}` } }),
      );
    });
    expect(await setup.run(`${line} --results out.jsonl`, { env })).toMatchObject({ exitCode: 11 });
    const again = await setup.run(`${line} --json`, { env });
    expect(again.stdout).toContain('not for ***');
    const results = readFileSync(join(setup.world.home, 'out.jsonl'), 'utf8');
    expect(results).toContain('not for ***');
    expect(`${keptText(setup)}${again.stdout}${again.stderr}${results}`).not.toContain(secret);
  },
);

test('one id for several emails is no answer: 8, and the same line asks once more', async () => {
  const { run, become, service } = await serving(3, (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify({ data: ['em_1', 'em_1', 'em_2'].map((emailId) => ({ emailId })) }),
    );
  });
  const outcome = await run(line);
  expect(outcome.exitCode).toBe(8);
  expect(outcome.stderr).toContain('one id for each email: 2 for 3');
  become(accept);
  expect(await run(line)).toMatchObject({ exitCode: 0 });
  expect(new Set(service.requests.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
});
