import { describe, expect, test } from 'vitest';
import { connected, errorOf } from '../support/connected.ts';
import type { Answer } from '../support/recorder.ts';
import { createWorld } from '../support/run.ts';

const rows = (...ids: readonly number[]) => ids.map((id) => ({ id }));
const page = (body: unknown): Answer => ({ body });

/** How the pages of a list are shown, and the requests for them. */
async function paginate(words: string, ...answers: readonly Answer[]) {
  const { run, service } = await connected(...answers);
  const outcome = await run(`api GET ${words} --paginate`);
  return { ...outcome, paths: service.requests.map(({ path }) => path.slice('/api'.length)) };
}

/** The ids of all rows of a list that is read to its end, with nothing on stderr. */
async function ids(words: string, ...answers: readonly Answer[]) {
  const { exitCode, stdout, stderr, paths } = await paginate(`${words} --quiet`, ...answers);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  return { ids: stdout.trim().split('\n').filter(Boolean).map(Number), paths };
}

describe('the end is', () => {
  test('given by count, even with short pages', async () => {
    const pages = [rows(1, 2), rows(3), rows(4, 5)].map((data) => page({ data, count: 5 }));
    expect(await ids('/v1/x?limit=2', ...pages)).toEqual({
      ids: [1, 2, 3, 4, 5],
      paths: ['/v1/x?limit=2', '/v1/x?limit=2&page=2', '/v1/x?limit=2&page=3'],
    });
  });

  test('given by totalPage', async () => {
    const pages = [rows(1), rows(2)].map((campaigns) => page({ campaigns, totalPage: 2 }));
    expect(await ids('/v1/x', ...pages)).toEqual({ ids: [1, 2], paths: ['/v1/x', '/v1/x?page=2'] });
  });

  test('the first page, when there is nothing', async () => {
    expect((await ids('/v1/x', page({ campaigns: [], totalPage: 0 }))).paths).toHaveLength(1);
    expect((await ids('/v1/x', page({ data: [], count: 0 }))).paths).toHaveLength(1);
    expect((await ids('/v1/x', page([]))).paths).toHaveLength(1);
  });

  test('an empty page, without a count', async () => {
    expect(await ids('/v1/x', page(rows(1, 2)), page(rows(3)), page([]))).toEqual({
      ids: [1, 2, 3],
      paths: ['/v1/x', '/v1/x?page=2', '/v1/x?page=3'],
    });
    const { paths } = await ids(
      '/v1/x',
      page({ a: rows(1) }),
      page({ a: rows(2) }),
      page({ a: [] }),
    );
    expect(paths).toHaveLength(3);
  });

  test('a page that is not full, where count is that of the page', async () => {
    const pages = [rows(1, 2), rows(3, 4), rows(5)].map((data) =>
      page({ data, count: data.length }),
    );
    expect((await ids('/v1/x', ...pages)).ids).toEqual([1, 2, 3, 4, 5]);
  });

  test('one page later at most, if count could be that of the page', async () => {
    const only = page({ data: rows(1, 2), count: 2 });
    for (const next of [only, page({ data: [], count: 2 }), page({ data: [], count: 0 })]) {
      const outcome = await ids('/v1/x', only, next);
      expect(outcome).toEqual({ ids: [1, 2], paths: ['/v1/x', '/v1/x?page=2'] });
    }
  });

  test('an empty page before count is reached', async () => {
    const pages = [page({ data: rows(1, 2), count: 9 }), page({ data: [], count: 9 })];
    expect((await ids('/v1/x', ...pages)).ids).toEqual([1, 2]);
  });

  test('the first page, if the service always returns it', async () => {
    const same = page(rows(1, 2, 3));
    expect(await ids('/v1/x', same, same)).toEqual({
      ids: [1, 2, 3],
      paths: ['/v1/x', '/v1/x?page=2'],
    });
    expect(await ids('/v1/x', page(rows(1, 2, 3)), page(rows(3, 1, 2)))).toEqual({
      ids: [1, 2, 3],
      paths: ['/v1/x', '/v1/x?page=2'],
    });
    const other = page({ a: [{ name: 'x' }, { name: 'y' }] });
    const { stdout, exitCode } = await paginate('/v1/x --jsonl', other, other);
    expect({ stdout, exitCode }).toEqual({ stdout: '{"name":"x"}\n{"name":"y"}\n', exitCode: 0 });
  });

  test('an error, if the service always returns one page of several', async () => {
    const same = Array<Answer>(60).fill(page({ data: rows(1, 2), count: 5 }));
    const { exitCode, stderr, paths } = await paginate('/v1/x --jsonl', ...same);
    expect(exitCode).toBe(8);
    expect(stderr).toContain('nothing new');
    expect(paths.length).toBeLessThan(30);
  });
});

describe('rows', () => {
  test('that shift to the next page are shown once', async () => {
    const pages = [rows(1, 2), rows(2, 3), rows(3, 4)].map((data) => page({ data, count: 6 }));
    expect((await ids('/v1/x', ...pages)).ids).toEqual([1, 2, 3, 4]);
    const arrays = [rows(1, 2), rows(2, 3), []].map(page);
    expect((await ids('/v1/x', ...arrays)).ids).toEqual([1, 2, 3]);
  });

  test('without an id are equal if all their fields are', async () => {
    const [a, b, c] = [
      { domainId: 1, day: 1 },
      { domainId: 1, day: 2 },
      { domainId: 1, day: 3 },
    ];
    const { stdout } = await paginate('/v1/x --jsonl', page([a, b]), page([b, c]), page([]));
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).day),
    ).toEqual([1, 2, 3]);
  });
});

describe('rows of one page', () => {
  test.each([
    ['without an id', [{ sent: 0 }, { sent: 0 }, { sent: 1 }]],
    ['whose id is null', [{ id: null }, { id: null, a: 1 }, { id: null, a: 1 }]],
    ['whose id is empty', [{ id: '' }, { id: '' }]],
  ])('%s are all shown, even if equal', async (_, data) => {
    const all = data.map((row) => `${JSON.stringify(row)}\n`).join('');
    expect((await paginate('/v1/x --jsonl', page(data), page([]))).stdout).toBe(all);
    expect((await paginate('/v1/x --jsonl', page(data), page(data))).stdout).toBe(all);
  });

  test('with equal ids are shown once', async () => {
    expect((await ids('/v1/x', page(rows(1, 1)), page(rows(1, 2)), page([]))).ids).toEqual([1, 2]);
  });

  test('that shift to the next page are shown once, also with an id of null', async () => {
    const [a, b] = [
      { id: null, a: 1 },
      { id: null, a: 2 },
    ];
    const { stdout } = await paginate('/v1/x --jsonl', page([a]), page([a, b, b]), page([]));
    expect(stdout).toBe([a, b, b].map((row) => `${JSON.stringify(row)}\n`).join(''));
  });
});

describe('the page', () => {
  test('to start with may be given, in the path or as a field', async () => {
    const answers = [page({ data: rows(7), count: 9 }), page({ data: rows(8), count: 9 })];
    const end = page({ data: [], count: 9 });
    const { paths } = await ids('/v1/x?a=%20&page=4&b=?', ...answers, end);
    expect(paths).toEqual([
      '/v1/x?a=%20&page=4&b=?',
      '/v1/x?a=%20&b=?&page=5',
      '/v1/x?a=%20&b=?&page=6',
    ]);
    expect((await ids('/v1/x -f page=2', page(rows(1)), page([]))).paths).toEqual([
      '/v1/x?page=2',
      '/v1/x?page=3',
    ]);
  });

  /** A service with this many rows, two per page, that repeats its last page for every later one. */
  const clamping = (count: number) =>
    Array<Answer>(40).fill((response, { path }) => {
      const asked = Number(new URL(path, 'http://x').searchParams.get('page'));
      const number = Math.min(asked, Math.ceil(count / 2));
      const data = Array.from({ length: count }, (_, index) => ({ id: index + 1 }));
      response.end(JSON.stringify({ data: data.slice(number * 2 - 2, number * 2), count }));
    });

  test.each([
    ['the rest fills its pages', 6, 2, [3, 4, 5, 6], 2],
    ['the last page is short', 5, 2, [3, 4, 5], 2],
    ['it is the last, which is full', 4, 2, [3, 4], 1],
    ['it is the last, which is short', 3, 2, [3], 2],
    ['it is beyond the last', 5, 9, [5], 1],
  ])('to start with may be a later one if %s', async (_, count, first, expected, requests) => {
    const outcome = await ids(`/v1/x?page=${first}`, ...clamping(count));
    expect(outcome.ids).toEqual(expected);
    expect(outcome.paths).toHaveLength(requests);
  });

  test.each(['0', '-1', 'x', ''])('%j to start with is a usage error', async (number) => {
    const { exitCode, paths } = await paginate(`/v1/x?page=${number}`);
    expect({ exitCode, paths }).toEqual({ exitCode: 2, paths: [] });
  });
});

describe('all pages joined', () => {
  const exact = '{"id":1,"n":12345678901234567890,"m":1.10}';
  const headers = { 'content-type': 'application/json' };

  test.each(['', '--json'])('are one document, numbers unmodified (%s)', async (flags) => {
    const first = { headers, body: `{"data":[${exact}],"count":2,"x":9007199254740993}` };
    const second = page({ data: rows(2), count: 2 });
    const { stdout, stderr } = await paginate(`/v1/x ${flags}`, first, second);
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toMatchObject({ data: [{ id: 1 }, { id: 2 }], count: 2 });
    expect(stdout).toContain(exact);
    expect(stdout).toContain('9007199254740993');
  });

  test.each(['', '--json'])('of an array are one array (%s)', async (flags) => {
    const { stdout } = await paginate(`/v1/x ${flags}`, page(rows(1)), page(rows(2)), page([]));
    expect(JSON.parse(stdout)).toEqual([{ id: 1 }, { id: 2 }]);
    expect(JSON.parse((await paginate(`/v1/x ${flags}`, page([]))).stdout)).toEqual([]);
  });

  test('have the requested format', async () => {
    const pages = [page(rows(1)), page(rows(2)), page([])];
    expect((await paginate('/v1/x --jsonl', ...pages)).stdout).toBe('{"id":1}\n{"id":2}\n');
    expect((await paginate('/v1/x --csv', ...pages)).stdout).toBe('id\r\n1\r\n2\r\n');
    expect((await paginate('/v1/x --fields id', ...pages)).stdout).toBe('id\n1\n2\n');
  });
});

describe('a response without a list', () => {
  test.each(['{"id":"a","events":[{"id":1}]}', '{"ok":true}', '5'])(
    'is one page: %s',
    async (text) => {
      const answer = { headers: { 'content-type': 'application/json' }, body: text };
      const { exitCode, stdout, paths } = await paginate('/v1/x', answer);
      expect({ exitCode, stdout, paths }).toEqual({
        exitCode: 0,
        stdout: `${text}\n`,
        paths: ['/v1/x'],
      });
    },
  );

  test('after a list is an invalid response', async () => {
    const { exitCode, stderr } = await paginate('/v1/x', page(rows(1)), page({ ok: true }));
    expect(exitCode).toBe(8);
    expect(stderr).toContain('Page 2 is not a list like the page before it.');
    const { exitCode: other } = await paginate('/v1/x', page(rows(1)), page({ a: rows(2) }));
    expect(other).toBe(8);
  });
});

test('an error of a later page ends it after the pages before it', async () => {
  const refusal = { status: 403, body: { error: { message: 'No such page' } } };
  const { exitCode, stdout, stderr } = await paginate('/v1/x --jsonl', page(rows(1)), refusal);
  expect({ exitCode, stdout }).toEqual({ exitCode: 3, stdout: '{"id":1}\n' });
  expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'auth' } });
});

describe('a page that is rejected with 400, as in a list that takes no page,', () => {
  const issue = { code: 'invalid_type', expected: 'number', received: 'string', path: ['page'] };
  const refusal = {
    status: 400,
    body: { success: false, error: { issues: [{ ...issue, message: 'No' }], name: 'ZodError' } },
  };

  test.each(['', '--json', '--jsonl', '--csv', '-q'])(
    'ends the list, which is complete (%s)',
    async (flags) => {
      const alone = await paginate(`/v1/x ${flags}`, page(rows(1, 2)), page([]));
      const { exitCode, stdout, stderr } = await paginate(
        `/v1/x ${flags}`,
        page(rows(1, 2)),
        refusal,
      );
      expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: alone.stdout });
      expect(stderr).toBe(
        flags === '-q' ? '' : 'The service rejected page=2 (400): there are no more results.\n',
      );
    },
  );

  test('ends one whose count has been reached', async () => {
    const { exitCode, stdout } = await paginate(
      '/v1/x -q',
      page({ data: rows(1, 2), count: 2 }),
      refusal,
    );
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '1\n2\n' });
  });

  test.each([{ count: 3 }, { totalPage: 2 }])('is an error if there is more: %j', async (more) => {
    const first = page({ data: rows(1, 2), ...more });
    const { exitCode, stdout, stderr } = await paginate('/v1/x --jsonl', first, refusal);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '{"id":1}\n{"id":2}\n' });
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'rejected', status: 400 } });
  });

  test('is an error if it is the first one', async () => {
    const { exitCode, stdout } = await paginate('/v1/x --json', refusal);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
  });
});

test('a page that fails is retried', async () => {
  const answers = [page(rows(1)), { status: 503, body: 'down' }, page(rows(2)), page([])];
  expect((await ids('/v1/x', ...answers)).ids).toEqual([1, 2]);
});

test('other methods have no pages', async () => {
  const { run, service } = await connected();
  const outcome = await run('api POST /v1/x --paginate --json');
  expect(outcome.exitCode).toBe(2);
  expect(errorOf(outcome).message).toContain('--paginate is for GET');
  expect(service.requests).toEqual([]);
});

test('on the sandbox: emails by count, campaigns by totalPage, domains all at once', async () => {
  const world = createWorld();
  const lines = async (path: string) => {
    const { exitCode, stdout } = await world.run(`api GET ${path} --paginate -q --sandbox`);
    expect(exitCode).toBe(0);
    return stdout.split('\n').length - 1;
  };
  const send = [
    '-f',
    'to[]=a@b.c',
    '-f',
    'from=hello@example.com',
    '-f',
    'subject=x',
    '-f',
    'text=y',
  ];
  expect((await world.run(['api', 'POST', '/v1/emails', ...send, '--sandbox'])).exitCode).toBe(0);
  expect(await lines('/v1/emails?limit=1')).toBe(3);
  expect(await lines('/v1/campaigns')).toBe(0);
  expect(await lines('/v1/domains')).toBe(3);
  expect(await lines('/v1/contactBooks')).toBe(1);
});
