import { describe, expect, test } from 'vitest';
import { connected, errorOf, key } from '../../support/connected.ts';
import type { Answer, Recorder } from '../../support/recorder.ts';
import { createWorld, type World } from '../../support/run.ts';

/** A list item as a live server returns it. */
function item(id: string, more: object = {}) {
  return {
    id,
    to: ['ana@example.org'],
    from: 'hello@example.com',
    subject: `Subject ${id}`,
    html: null,
    text: 'Hello',
    createdAt: '2026-01-15T08:00:00.000Z',
    updatedAt: '2026-01-15T08:00:00.000Z',
    scheduledAt: null,
    domainId: 3,
    latestStatus: 'DELIVERED',
    ...more,
  };
}

/** Items `from` to `to`, downwards, as in a list with the newest first. */
function items(from: number, to: number) {
  return Array.from({ length: from - to + 1 }, (_, index) => item(`em_${from - index}`));
}

const page = (...ids: string[]) => ({ body: { data: ids.map((id) => item(id)), count: 120 } });

describe('the request', () => {
  test.each([
    ['', {}],
    ['--page 3', { page: ['3'] }],
    ['--limit 10', { limit: ['10'] }],
    ['--limit 50 --page 2', { limit: ['50'], page: ['2'] }],
    ['--since 2026-01-01T00:00:00+01:00', { startDate: ['2025-12-31T23:00:00Z'] }],
    ['--until 2026-01-10', { endDate: ['2026-01-10T23:59:59.999Z'] }],
    ['--until 2026-01-10T00:00Z', { endDate: ['2026-01-10T00:00:00Z'] }],
    ['--since yesterday --timezone Europe/Berlin', { startDate: ['2026-01-13T23:00:00Z'] }],
    [
      '--since 2026-01-01 --until 2026-01-02',
      { startDate: ['2026-01-01T00:00:00Z'], endDate: ['2026-01-02T23:59:59.999Z'] },
    ],
    ['--domain 3 --domain 7', { domainId: ['3', '7'] }],
  ])('of email list %s', async (flags, query) => {
    const { run, service } = await connected({ body: { data: [item('em_1')], count: 1 } });
    expect((await run(`email list ${flags}`)).exitCode).toBe(0);
    expect(service.requests).toHaveLength(1);
    const [request] = service.requests;
    expect(request?.method).toBe('GET');
    const url = new URL(request?.path ?? '', service.url);
    expect(url.pathname).toBe('/api/v1/emails');
    const sent = Object.fromEntries(
      [...url.searchParams.keys()].map((name) => [name, url.searchParams.getAll(name)]),
    );
    expect({ page: ['1'], ...query }).toEqual({ page: ['1'], ...sent });
    expect(request?.headers.authorization).toBe(`Bearer ${key}`);
    expect(request?.body).toBe('');
    for (const name of ['content-type', 'idempotency-key']) {
      expect(request?.headers).not.toHaveProperty(name);
    }
  });

  test('--since "2 days ago" is exact', async () => {
    const { run, service } = await connected(page());
    await run(['email', 'list', '--since', '2 days ago']);
    expect(service.requests[0]?.path).toContain('startDate=2026-01-13T10%3A00%3A00Z');
  });

  test('--domain takes a name, which is looked up', async () => {
    const domain = (id: number, name: string) => ({
      ...{ id, name, teamId: 1, status: 'SUCCESS', publicKey: 'p', dnsRecords: [] },
      ...{ createdAt: '2026-01-01T00:00:00Z', updatedAt: '2026-01-01T00:00:00Z' },
    });
    const domains = { body: [domain(4, 'example.com'), domain(9, 'mail.example.com')] };
    const { run, service } = await connected(domains, page());
    expect((await run('email list --domain mail.example.com')).exitCode).toBe(0);
    expect(service.requests.map(({ path }) => path.split('?')[0])).toEqual([
      '/api/v1/domains',
      '/api/v1/emails',
    ]);
    expect(service.requests[1]?.path).toContain('domainId=9');
  });

  test('several names are looked up with one request, ids without', async () => {
    const domain = (id: number, name: string) => ({
      ...{ id, name, teamId: 1, status: 'SUCCESS', publicKey: 'p', dnsRecords: [] },
      ...{ createdAt: '2026-01-01T00:00:00Z', updatedAt: '2026-01-01T00:00:00Z' },
    });
    const domains = { body: [domain(4, 'example.com'), domain(9, 'mail.example.com')] };
    const { run, service } = await connected(domains, page(), domains);
    const names = '--domain mail.example.com --domain 7 --domain Example.com';
    expect((await run(`email list ${names}`)).exitCode).toBe(0);
    expect(service.requests).toHaveLength(2);
    const url = new URL(service.requests[1]?.path ?? '', service.url);
    expect(url.searchParams.getAll('domainId')).toEqual(['9', '7', '4']);
    const unknown = await run('email list --domain example.com --domain example.net --json');
    expect(unknown.exitCode).toBe(4);
    expect(errorOf(unknown).message).toContain('example.net');
    expect(service.requests).toHaveLength(3);
  });
});

describe('--all', () => {
  const full = { body: { data: items(120, 71), count: 120 } };
  const second = { body: { data: items(70, 21), count: 120 } };
  const last = { body: { data: items(20, 1), count: 120 } };
  const ids = items(120, 1).map(({ id }) => id);

  const pagesAskedFor = ({ requests, url }: Recorder) =>
    requests.map(({ path }) => {
      const { searchParams } = new URL(path, url);
      return `${searchParams.get('page')} of ${searchParams.get('limit')}`;
    });

  test('ends when all emails of the count are listed, whatever the size of a page', async () => {
    const answers = [items(5, 4), items(3, 2), items(1, 1)].map((data) => ({
      body: { data, count: 5 },
    }));
    const { run, service } = await connected(...answers);
    const { exitCode, stdout } = await run('email list --all -q');
    expect({ exitCode, stdout }).toEqual({
      exitCode: 0,
      stdout: 'em_5\nem_4\nem_3\nem_2\nem_1\n',
    });
    expect(pagesAskedFor(service)).toEqual(['1 of 50', '2 of 50', '3 of 50']);
  });

  test('without a count ends at a page that is not full', async () => {
    const { run, service } = await connected(
      { body: { data: items(3, 2) } },
      { body: { data: items(1, 1), count: null } },
    );
    const { exitCode, stdout } = await run('email list --all --limit 2 -q');
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: 'em_3\nem_2\nem_1\n' });
    expect(pagesAskedFor(service)).toEqual(['1 of 2', '2 of 2']);
  });

  test('ends at an empty page, even before the count is reached', async () => {
    const { run } = await connected(page('em_1'), page());
    expect(await run('email list --all -q')).toMatchObject({ exitCode: 0, stdout: 'em_1\n' });
  });

  test('a list of a service that ignores the page is an error', async () => {
    const { run } = await connected(...Array(50).fill(full));
    const { exitCode, stdout } = await run('email list --all -q');
    expect(exitCode).toBe(8);
    expect(stdout.trimEnd().split('\n')).toHaveLength(50);
  });

  test('requests pages until all are listed', async () => {
    const { run, service } = await connected(full, second, last);
    const { stdout } = await run('email list --all -q');
    expect(stdout.trimEnd().split('\n')).toEqual(ids);
    expect(
      service.requests.map(({ path }) => new URL(path, service.url).searchParams.get('page')),
    ).toEqual(['1', '2', '3']);
  });

  test('emails that shift to the next page are shown once', async () => {
    const shifted = { body: { data: items(72, 23), count: 122 } };
    const rest = { body: { data: items(22, 1), count: 122 } };
    const { run } = await connected(full, shifted, rest);
    const { exitCode, stdout } = await run('email list --all -q');
    expect(exitCode).toBe(0);
    expect(stdout.trimEnd().split('\n')).toEqual(ids);
  });

  test('--json is one document with all emails, --jsonl a line for each, --csv one header', async () => {
    const answers = [full, second, last];
    const { run } = await connected(...answers, ...answers, ...answers);
    const json = JSON.parse((await run('email list --all --json')).stdout);
    expect(json).toEqual({ data: items(120, 1), count: 120 });
    const lines = (await run('email list --all --jsonl')).stdout.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual(items(120, 1));
    const csv = (await run('email list --all --csv --fields id')).stdout;
    expect(csv).toBe(`id\r\n${ids.join('\r\n')}\r\n`);
  });

  test('of no emails is an empty list', async () => {
    const { run } = await connected(
      { body: { data: [], count: 0 } },
      { body: { data: [], count: 0 } },
    );
    expect(JSON.parse((await run('email list --all --json')).stdout)).toEqual({
      data: [],
      count: 0,
    });
    expect(await run('email list --all -q')).toEqual({ exitCode: 0, stdout: '', stderr: '' });
  });

  test('a service that always returns the same page is 8', async () => {
    const { run, service } = await connected(...Array(100).fill(page('em_1')));
    const outcome = await run('email list --all --limit 1 -q');
    expect(outcome).toMatchObject({ exitCode: 8, stdout: 'em_1\n' });
    expect(service.requests.length).toBeLessThan(50);
  });

  test('--limit is the size of a page', async () => {
    const { run, service } = await connected(
      { body: { data: items(3, 2), count: 3 } },
      { body: { data: items(1, 1), count: 3 } },
    );
    const { exitCode, stdout } = await run('email list --all --limit 2 -q');
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: 'em_3\nem_2\nem_1\n' });
    expect(service.requests.every(({ path }) => path.includes('limit=2'))).toBe(true);
  });
});

describe('a service that ignores --since if --until is given', () => {
  const line = 'email list --since 2026-01-10 --until 2026-01-14T00:00';
  const at = (id: string, createdAt: string | null) => item(id, { createdAt });
  /** Two of the period, 80 older ones and one newer one. */
  const emails = [
    at('em_new', '2026-01-14T00:00:00.001Z'),
    ...[at('em_82', '2026-01-14T00:00:00.000Z'), at('em_81', '2026-01-10T00:00:00.000Z')],
    at('em_80', '2026-01-09T23:59:59.999Z'),
    ...Array.from({ length: 79 }, (_, index) => at(`em_${79 - index}`, '2026-01-01T00:00:00Z')),
  ];

  /** A list like a live server's, whose replies have unknown fields; or one that also respects the start. */
  function listing(all: readonly { createdAt?: unknown }[], heeds = false): Answer {
    return (response, { path }) => {
      const query = new URL(path, 'http://service').searchParams;
      const bound = (name: string, otherwise: string) => query.get(name) ?? otherwise;
      const start = heeds ? bound('startDate', '1970-01-01T00:00:00Z') : '1970-01-01T00:00:00Z';
      const end = bound('endDate', '2100-01-01T00:00:00Z');
      const matching = all.filter(({ createdAt }) => {
        const time = Date.parse(String(createdAt));
        return time >= Date.parse(start) && time <= Date.parse(end);
      });
      const [number, limit] = [Number(bound('page', '1')), Number(bound('limit', '50'))];
      const data = matching.slice((number - 1) * limit, number * limit);
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ data, count: matching.length, cursor: 'next' }));
    };
  }

  const serve = (answer: Answer) => connected(...Array<Answer>(20).fill(answer));
  const period = (from: number, to: number) =>
    Array.from({ length: from - to + 1 }, (_, index) =>
      at(`in_${from - index}`, '2026-01-12T00:00:00Z'),
    );

  test('older emails are not shown, and there is no next page', async () => {
    const { run } = await serve(listing(emails));
    expect(await run(`${line} --fields id`)).toEqual({
      exitCode: 0,
      stdout: 'id\nem_82\nem_81\n',
      stderr: '',
    });
  });

  test('--json: the count is that of the period, all else unmodified', async () => {
    const { run, requests } = await serve(listing(emails));
    const { stdout } = await run(`${line} --json`);
    const data = emails.slice(1, 3);
    expect(JSON.parse(stdout)).toEqual({ data, count: 2, cursor: 'next' });
    expect((await run(`${line} --json --fields id`)).stdout).toBe(
      '{"data":[{"id":"em_82"},{"id":"em_81"}],"count":2,"cursor":"next"}\n',
    );
    const older = 'startDate=2026-01-10T00%3A00%3A00Z&endDate=2026-01-09T23%3A59%3A59.999Z';
    expect(requests()[1]).toBe(`GET /api/v1/emails?page=1&limit=1&${older}`);
  });

  test('pages and the note about the next one are of the period too', async () => {
    const { run } = await serve(listing([...period(5, 1), ...emails.slice(3)]));
    expect((await run(`${line} --limit 2 -q`)).stdout).toBe('in_5\nin_4\n');
    const first = await run(`${line} --limit 2 --fields id`);
    expect(first.stderr).toBe('2 of 5. Next: --page 2, or --all\n');
    const last = await run(`${line} --limit 2 --page 3 --fields id`);
    expect(last).toEqual({ exitCode: 0, stdout: 'id\nin_1\n', stderr: '' });
  });

  test('a later page has no emails, and the count is still that of the period', async () => {
    const { run } = await serve(listing([...period(5, 1), ...emails.slice(3)]));
    const { stdout } = await run(`${line} --limit 10 --page 2 --json`);
    expect(JSON.parse(stdout)).toEqual({ data: [], count: 5, cursor: 'next' });
    expect((await run(`${line} --limit 10 --page 2`)).stderr).toBe(
      'Page 2 is past the end: 5 emails, last page 1.\n',
    );
  });

  test('--all stops at the first of them, and counts those before it', async () => {
    const { run, service } = await serve(listing([...period(5, 1), ...emails.slice(3)]));
    const { exitCode, stdout, stderr } = await run(`${line} --all --limit 2 --json`);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(JSON.parse(stdout)).toEqual({ data: period(5, 1), count: 5, cursor: 'next' });
    expect(service.requests.filter(({ path }) => path.includes('limit=1&'))).toHaveLength(1);
    expect(service.requests).toHaveLength(4);
  });

  test('one that applies it counts correctly, and its response is unmodified', async () => {
    const { run } = await serve(listing([...period(60, 1), ...emails.slice(3)], true));
    const { stdout } = await run(`${line} --json`);
    expect(JSON.parse(stdout)).toMatchObject({ data: period(60, 11), count: 60 });
  });

  test('one that rejects a period that ends before its start respects it, too', async () => {
    const data = period(50, 1);
    const refusal = { status: 400, body: { error: { code: 'BAD_REQUEST', message: 'no' } } };
    const { run } = await connected({ body: { data, count: 60 } }, refusal);
    expect(JSON.parse((await run(`${line} --json`)).stdout)).toEqual({ data, count: 60 });
  });

  test('--json keeps numbers unmodified', async () => {
    const large = '12345678901234567890';
    const data = emails.slice(1, 5);
    const body = JSON.stringify({ data, count: 4 })
      .replace('"count":4', `"count":4,"serial":${large},"nested":{"rate":1.10}`)
      .replace('"domainId":3', `"domainId":3,"size":${large}`);
    const headers = { 'content-type': 'application/json' };
    const { run, service } = await connected({ headers, body });
    const expected = body
      .replace(/,\{"id":"em_80".*\}(?=\])/, '')
      .replace('"count":4', '"count":2');
    expect((await run(`${line} --json`)).stdout).toBe(`${expected}\n`);
    // The service's total shows that this page has all emails.
    expect(service.requests).toHaveLength(1);
  });

  test('emails without a readable time are kept, and with --since alone all are', async () => {
    const odd = { body: { data: [at('em_2', null), at('em_1', 'long ago')], count: 2 } };
    const old = { body: { data: emails.slice(2, 4), count: 2 } };
    const { run } = await connected(odd, old);
    expect((await run(`${line} -q`)).stdout).toBe('em_2\nem_1\n');
    expect((await run('email list --since 2026-01-10 -q')).stdout).toBe('em_81\nem_80\n');
  });
});

describe('the output', () => {
  test('piped is tab-separated lines, header first, with exact times', async () => {
    const { run } = await connected(page('em_2', 'em_1'));
    const { stdout } = await run('email list');
    expect(stdout).toBe(
      [
        'id\tlatestStatus\tto\tsubject\tcreatedAt\tscheduledAt',
        'em_2\tDELIVERED\tana@example.org\tSubject em_2\t2026-01-15T08:00:00.000Z\t',
        'em_1\tDELIVERED\tana@example.org\tSubject em_1\t2026-01-15T08:00:00.000Z\t',
        '',
      ].join('\n'),
    );
  });

  test('says how to see the next page, on stderr', async () => {
    const { run } = await connected(page('em_2', 'em_1'));
    const { stderr } = await run('email list --limit 2');
    expect(stderr).toBe('2 of 120. Next: --page 2, or --all\n');
  });

  test.each([80, 120])('on a terminal of %i columns no line is wider', async (terminal) => {
    const long =
      'An uncommonly long subject that goes on and on, with 漢字 and 👩‍👩‍👧 in it '.repeat(3);
    const data = [
      item('cm3k9x2f8000008l4abcdefgh', { subject: long }),
      item('cm3k9x2f8000008l4abcdefgi'),
    ];
    const { run } = await connected({ body: { data, count: 2 } });
    const { stdout } = await run('email list --no-color', { terminal });
    const { default: stringWidth } = await import('string-width');
    const lines = stdout.trimEnd().split('\n');
    expect(lines).toHaveLength(3);
    expect(lines[0]).toMatch(/^ID +STATUS +TO +SUBJECT +CREATED$/);
    expect(lines[1]).toContain('cm3k9x2f8000008l4abcdefgh');
    expect(lines[1]).toContain('…');
    expect(lines[2]).toMatch(/2 hours ago/);
    for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(terminal);
  });

  test('--csv is RFC 4180: header of field names, CRLF, quotes where needed', async () => {
    const data = [
      item('em_1', { subject: 'He said "hi", twice', to: ['a@b.example', 'c@d.example'] }),
    ];
    const { run } = await connected({ body: { data, count: 1 } });
    expect((await run('email list --csv')).stdout).toBe(
      'id,latestStatus,to,subject,createdAt,scheduledAt\r\n' +
        'em_1,DELIVERED,"a@b.example, c@d.example","He said ""hi"", twice",2026-01-15T08:00:00.000Z,\r\n',
    );
  });

  test('--json is the unmodified response; with --fields its rows are reduced', async () => {
    const reply = { data: [item('em_1', { novel: { kept: true } })], count: 1, cursor: 'next' };
    const { run } = await connected({ body: reply }, { body: reply });
    expect(JSON.parse((await run('email list --json')).stdout)).toEqual(reply);
    expect((await run('email list --json --fields novel.kept,id')).stdout).toBe(
      '{"data":[{"novel":{"kept":true},"id":"em_1"}],"count":1,"cursor":"next"}\n',
    );
  });

  describe('--csv-safe', () => {
    const subjects = [
      '=HYPERLINK("http://x","y")',
      '+1 234',
      '-2+3',
      '@SUM(1)',
      '\t=1',
      'Hi',
      '-5',
    ];
    const data = subjects.map((subject, index) => item(`em_${index}`, { subject, domainId: -5 }));
    const body = { data, count: data.length };
    const line = 'email list --csv-safe --fields subject,domainId';
    const rows = [
      `"'=HYPERLINK(""http://x"",""y"")"`,
      ...["'+1 234", "'-2+3", "'@SUM(1)", "'\t'=1", 'Hi', '-5'],
    ].map((subject) => `${subject},-5\r\n`);

    test('is CSV without formulas; --csv beside it changes nothing', async () => {
      const { run } = await connected({ body }, { body });
      const expected = `subject,domainId\r\n${rows.join('')}`;
      expect((await run(line)).stdout).toBe(expected);
      expect((await run(`${line} --csv`)).stdout).toBe(expected);
    });

    test('on a terminal control and tag characters are visible in it, as in --csv', async () => {
      const reply = { data: [item('em_1', { subject: '=\x1b[2J\u{e0041}' })], count: 1 };
      const { run } = await connected({ body: reply }, { body: reply });
      const shown = (flag: string) => run(`email list ${flag} --fields subject`, { terminal: 80 });
      const word = '=\\x1b[2J\\u{e0041}';
      expect((await shown('--csv')).stdout).toBe(`subject\r\n${word}\r\n`);
      expect((await shown('--csv-safe')).stdout).toBe(`subject\r\n'${word}\r\n`);
    });

    test('--csv in a pipe has unmodified values', async () => {
      const raw = '=\x1b[2J';
      const { run } = await connected({
        body: { data: [item('em_1', { subject: raw })], count: 1 },
      });
      const { stdout } = await run('email list --csv --fields subject');
      expect(stdout).toBe(`subject\r\n${raw}\r\n`);
    });

    test.each([
      ['--json --csv-safe', '--json and --csv-safe cannot be used together'],
      ['--csv-safe --quiet', '--csv-safe and --quiet cannot be used together'],
    ])('%s is an error', async (flags, said) => {
      const { run } = await connected();
      const { exitCode, stderr } = await run(`email list ${flags}`);
      expect({ exitCode, said: stderr.includes(said) }).toEqual({ exitCode: 2, said: true });
    });
  });

  test('--fields gives the columns of a table, in order', async () => {
    const { run } = await connected(page('em_1'), page('em_1'));
    expect((await run('email list --fields subject,id,html')).stdout).toBe(
      'subject\tid\thtml\nSubject em_1\tem_1\t\n',
    );
    const { stdout } = await run('email list --fields subject,id --no-color', { terminal: 80 });
    expect(stdout).toMatch(/SUBJECT +ID/);
  });

  test.each([
    ['--limit 2 --page 99', 14, 'Page 99 is past the end: 14 emails, last page 7.\n'],
    ['--page 2', 1, 'Page 2 is past the end: 1 email, last page 1.\n'],
    ['--page 2', 0, 'No emails.\n'],
    ['--page 2', undefined, 'No emails.\n'],
  ])('a page past the end is reported: %s of %s emails', async (flags, count, said) => {
    const { run } = await connected({ body: { data: [], count } });
    const { exitCode, stderr } = await run(`email list ${flags}`);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: said });
  });

  test('no emails is 0, with a sentence on stderr', async () => {
    const { run } = await connected({ body: { data: [], count: 0 } });
    const { exitCode, stderr } = await run('email list', { terminal: 80 });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: 'No emails.\n' });
  });
});

describe('with the sandbox', () => {
  const send = (world: World, subject: string) =>
    world.run([
      ...['email', 'send', '--sandbox', '-q', '--to', 'ana@example.org'],
      ...['--from', 'hello@example.com', '--subject', subject, '--text', 'T'],
    ]);
  const subjects = async (world: World, ...flags: string[]) => {
    const { stdout } = await world.run(['email', 'list', '--sandbox', '--json', ...flags]);
    return JSON.parse(stdout).data.map(({ subject }: { subject: string }) => subject);
  };

  test('lists newest first, by pages, and all', async () => {
    const world = createWorld();
    for (const subject of ['a', 'b', 'c']) {
      await send(world, subject);
      world.clock.advance(1000);
    }
    expect(await subjects(world, '--limit', '2')).toEqual(['c', 'b']);
    expect(await subjects(world, '--limit', '2', '--page', '2')).toEqual(['a', 'Your receipt']);
    expect(await subjects(world, '--limit', '2', '--all')).toEqual([
      'c',
      'b',
      'a',
      'Your receipt',
      'Welcome, Ben!',
    ]);
    expect(await subjects(world, '--limit', '2', '--page', '9')).toEqual([]);
  });

  test('--since, --until and --domain filter', async () => {
    const world = createWorld();
    await send(world, 'new');
    expect(await subjects(world, '--since', '1 hour ago')).toEqual(['new']);
    expect(await subjects(world, '--until', 'yesterday')).toEqual(['Welcome, Ben!']);
    expect(await subjects(world, '--since', '1 day ago', '--until', '1 hour ago')).toEqual([
      'Your receipt',
    ]);
    expect(await subjects(world, '--domain', 'example.com', '--since', '1h')).toEqual(['new']);
    expect(await subjects(world, '--domain', 'example.net')).toEqual([]);
  });
});

describe('bad input', () => {
  test.each([
    [['--limit', '10abc'], '"10abc"'],
    [['--limit', '0'], '"0"'],
    [['--limit', '51'], '"51"'],
    [['--limit', '-1'], '"-1"'],
    [['--limit', '1.5'], '"1.5"'],
    [['--limit', ''], '""'],
    [['--limit', '0x10'], '"0x10"'],
    [['--page', '0'], '"0"'],
    [['--page', '1e1'], '"1e1"'],
    [['--page', '2', '--page', '3'], '--page'],
    [['--all', '--page', '2'], '--all and --page'],
    [['--since', 'soonish'], '"soonish"'],
    [['--until', 'yesterday', '--since', 'today'], '--since'],
    [['--csv'], '--csv'],
    [['--jsonl'], '--jsonl'],
    [['-q'], '--quiet'],
    [['extra'], 'too many arguments'],
  ])('%j', async (flags, said) => {
    const { run, service } = await connected();
    const outcome = await run(['email', 'list', '--json', ...flags]);
    expect(outcome.exitCode).toBe(2);
    expect(errorOf(outcome).message).toContain(said);
    expect(service.requests).toEqual([]);
  });
});
