import { describe, expect, test } from 'vitest';
import { connected, errorOf } from '../../support/connected.ts';
import { listItem } from '../../support/emails.ts';
import { asked, items, pageOf } from '../../support/pages.ts';
import type { Answer } from '../../support/recorder.ts';

type Email = ReturnType<typeof listItem>;

/** Changes the list before a request. `request` is its number, from 1. */
type Change = (emails: Email[], request: number) => void;

const idsOf = (emails: readonly Email[]) => emails.map(({ id }) => id);
const lines = (text: string) => text.trimEnd().split('\n');

/**
 * The ids of emails that were there at the start. So many new ones may arrive that a page has some
 * of them.
 */
const oldOnes = (text: string) => lines(text).filter((id) => id.startsWith('em_'));

/** A service whose list changes before each request except the first. */
async function changing(emails: readonly Email[], change: Change, counts = true) {
  const list = [...emails];
  let number = 0;
  const answer: Answer = (response, request) => {
    if (++number > 1) change(list, number);
    const { data, count } = pageOf(list, request);
    response.end(JSON.stringify(counts ? { data, count } : { data }));
  };
  return await connected(...Array<Answer>(3000).fill(answer));
}

function arrive(emails: Email[], count: number): void {
  const from = emails.length;
  for (let index = 0; index < count; index++) emails.unshift(listItem(`new_${from + index}`));
}

const remove = (emails: Email[], ...ids: readonly string[]) => {
  for (const id of ids) emails.splice(idsOf(emails).indexOf(id), 1);
};

describe('emails that arrive during the list', () => {
  test.each([1, 9, 10, 35])('%i before each of some pages: all are listed once', async (count) => {
    const before = items(60, 1);
    const { run } = await changing(before, (emails, request) => {
      if (request % 2 === 0 && request < 8) arrive(emails, count);
    });
    const { exitCode, stdout, stderr } = await run('email list --all --limit 10 -q');
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(oldOnes(stdout)).toEqual(idsOf(before));
  });

  test('many at once, as after a pause of the reader, are no error', async () => {
    const before = items(60, 1);
    const { run } = await changing(before, (emails, request) => {
      if (request === 3) arrive(emails, 400);
    });
    const { exitCode, stdout } = await run('email list --all --limit 10 -q');
    expect(exitCode).toBe(0);
    expect(oldOnes(stdout)).toEqual(idsOf(before));
  });

  test('9,000 at once, far down a long list: all are listed once', async () => {
    const before = items(10_000, 1);
    const { run } = await changing(before, (emails, request) => {
      if (request === 190) arrive(emails, 9000);
    });
    const { stdout } = await run('email list --all -q');
    expect(oldOnes(stdout)).toEqual(idsOf(before));
  });

  test('without a count they are listed once too', async () => {
    const before = items(35, 1);
    const { run } = await changing(before, (emails) => arrive(emails, 3), false);
    const { stdout } = await run('email list --all --limit 10 -q');
    expect(lines(stdout)).toEqual(idsOf(before));
  });

  test('--json has the count of the first page', async () => {
    const before = items(25, 1);
    const { run } = await changing(before, (emails) => arrive(emails, 1));
    const { stdout } = await run('email list --all --limit 10 --json');
    expect(JSON.parse(stdout)).toEqual({ data: before, count: 25 });
  });
});

describe('emails that disappear during the list', () => {
  const before = items(60, 1);

  test.each([
    ['one', ['em_60']],
    ['some', ['em_60', 'em_55', 'em_52']],
    ['as many as a page holds', idsOf(items(60, 51))],
    ['more than a page holds', idsOf(items(60, 36))],
  ])('%s: no other is missing', async (_, ids) => {
    const { run } = await changing(before, (emails, request) => {
      if (request === 4) remove(emails, ...ids);
    });
    const { exitCode, stdout } = await run('email list --all --limit 10 -q');
    expect(exitCode).toBe(0);
    expect([...new Set(lines(stdout))].sort()).toEqual(idsOf(before).sort());
    expect(lines(stdout)).toHaveLength(60);
  });

  test('a page is read again if emails may have shifted to it', async () => {
    const { run, service } = await changing(before, (emails, request) => {
      if (request === 3) remove(emails, 'em_60');
    });
    const { stdout } = await run('email list --all --limit 10 -q');
    expect(lines(stdout)).toHaveLength(60);
    expect(service.requests.map((request) => asked(request, 'page'))).toEqual([
      1, 2, 3, 2, 3, 4, 5, 6,
    ]);
  });

  test('one before every request, while others arrive: no other is missing', async () => {
    const { run } = await changing(before, (emails, request) => {
      remove(emails, `em_${62 - request}`);
      if (request % 3 === 0) arrive(emails, 2);
    });
    const { stdout } = await run('email list --all --limit 10 -q');
    // The deleted emails were on the first page, which was already printed.
    const shown = oldOnes(stdout);
    expect(shown).toHaveLength(60);
    expect(new Set(shown)).toEqual(new Set(idsOf(before)));
  });

  test('the last page may then be empty', async () => {
    const { run } = await changing(items(11, 1), (emails, request) => {
      if (request === 2) remove(emails, 'em_11');
    });
    const { stdout } = await run('email list --all --limit 10 -q');
    expect(lines(stdout)).toEqual(idsOf(items(11, 1)));
  });

  test.each([0, 1, 29])(
    'a count of %i on an empty last page causes no further request',
    async (count) => {
      const pages = [items(40, 21), items(20, 1), []].map((data, index) => ({
        body: { data, count: index < 2 ? 1300 : count },
      }));
      const { run, service } = await connected(...pages);
      const { exitCode, stdout } = await run('email list --all --limit 20 -q');
      expect(exitCode).toBe(0);
      expect(lines(stdout)).toEqual(idsOf(items(40, 1)));
      expect(service.requests).toHaveLength(3);
    },
  );

  test('without a count, an email that shifts to an earlier page is missed', async () => {
    const { run } = await changing(
      items(25, 1),
      (emails, request) => {
        if (request === 2) remove(emails, 'em_25');
      },
      false,
    );
    const { exitCode, stdout } = await run('email list --all --limit 10 -q');
    expect(exitCode).toBe(0);
    expect(lines(stdout)).toEqual(idsOf(items(25, 1)).filter((id) => id !== 'em_15'));
  });
});

describe('a service that repeats its last page', () => {
  const repeating = (count: number, more: object): Answer => {
    const emails = items(count, 1);
    return (response, request) => {
      const page = Math.min(asked(request, 'page'), Math.ceil(count / 10));
      const data = emails.slice((page - 1) * 10, page * 10);
      response.end(JSON.stringify({ data, ...more }));
    };
  };

  test.each([
    ['counts them', 30, { count: 30 }, 3],
    ['ends with a page that is not full', 25, {}, 3],
  ])('and %s is read to its end', async (_, count, more, requests) => {
    const { run, service } = await connected(...Array<Answer>(50).fill(repeating(count, more)));
    const { exitCode, stdout } = await run('email list --all --limit 10 -q');
    expect(exitCode).toBe(0);
    expect(lines(stdout)).toEqual(idsOf(items(count, 1)));
    expect(service.requests).toHaveLength(requests);
  });

  test('is no error once all emails are shown', async () => {
    const { run } = await connected(...Array<Answer>(50).fill(repeating(30, {})));
    const { exitCode, stdout, stderr } = await run('email list --all --limit 10');
    expect(exitCode).toBe(8);
    expect(lines(stdout)).toHaveLength(31);
    expect(stderr).toBe('Error: Page 24 has nothing new, like the 20 before it.\n');
  });
});

describe('a service whose count is that of the page', () => {
  const counting = (...sizes: readonly number[]) => {
    let left = 100;
    return sizes.map((size) => {
      const data = items(left, left - size + 1);
      left -= size;
      return { body: { data, count: size } };
    });
  };

  test.each([
    ['a page that is not full', [10, 10, 3], '--limit 10', 23],
    ['an empty page', [10, 10, 0], '--limit 10', 20],
    ['the first page, which is not full', [10], '', 10],
  ])('is read to %s', async (_, sizes, flags, count) => {
    const { run, service } = await connected(...counting(...sizes));
    const { exitCode, stdout } = await run(`email list --all ${flags} -q`);
    expect(exitCode).toBe(0);
    expect(lines(stdout)).toEqual(idsOf(items(100, 101 - count)));
    expect(service.requests).toHaveLength(sizes.length);
  });
});

describe('ids', () => {
  const page = (...ids: readonly unknown[]) => ({
    body: { data: ids.map((id) => ({ ...listItem('x'), id })), count: 4 },
  });

  test('that are empty do not exclude an email', async () => {
    const { run } = await connected(page('', ''), page('', 'em_1'));
    const { stdout } = await run('email list --all --limit 2 --jsonl');
    expect(lines(stdout)).toHaveLength(4);
  });

  test('that are twice on one page are listed once', async () => {
    const { run } = await connected(page('em_1', 'em_1'), page('em_2', 'em_3'));
    expect((await run('email list --all --limit 2 -q')).stdout).toBe('em_1\nem_2\nem_3\n');
  });

  test.each([[undefined], [null], [7], [{}]])('that are %j are an invalid response', async (id) => {
    const { run } = await connected(page(id, id));
    const outcome = await run('email list --all --json');
    expect(outcome.exitCode).toBe(8);
    expect(errorOf(outcome)).toMatchObject({ code: 'bad_reply' });
  });
});

describe('--json of several pages', () => {
  const raw = (body: string): Answer => ({
    headers: { 'content-type': 'application/json' },
    body,
  });

  test('has all emails, the other members of the response, and unmodified numbers', async () => {
    const one = (id: string, more: string) => `{"id":"${id}",${more}}`;
    const rows = [
      one('em_3', '"big":12345678901234567890'),
      one('em_2', '"price":1.10,"parts":[1e3,123456789.123456789]'),
      one('em_1', '"text":"1.10, 12345678901234567890","tiny":0.0000001'),
    ];
    const other = '"count":3,"cursor":{"next":98765432109876543210}';
    const { run } = await connected(
      raw(`{"data":[${rows.slice(0, 2)}],${other}}`),
      raw(`{"data":[${rows[2]}],"count":3,"cursor":null}`),
    );
    const { stdout } = await run('email list --all --limit 2 --json');
    expect(JSON.parse(stdout)).toMatchObject({ count: 3, data: [{}, {}, {}] });
    expect(stdout.replace(/\n */g, '').replace(/": /g, '":')).toBe(`{"data":[${rows}],${other}}`);
  });

  test('has only the requested fields', async () => {
    const { run } = await changing(items(5, 1), () => {});
    const { stdout } = await run('email list --all --limit 2 --json --fields subject,id,html');
    const picked = items(5, 1).map(({ subject, id }) => ({ subject, id, html: null }));
    expect(JSON.parse(stdout)).toEqual({ data: picked, count: 5 });
  });

  test('of an empty page and no other is an empty list', async () => {
    const { run } = await connected({ body: { data: [], count: 7, cursor: null } });
    const { stdout } = await run('email list --all --json');
    expect(JSON.parse(stdout)).toEqual({ data: [], count: 7, cursor: null });
  });

  test('ends as one document if a page has nothing new', async () => {
    const { run } = await connected(
      { body: { data: items(3, 2), count: 5 } },
      { body: { data: items(3, 2), count: 5 } },
      { body: { data: items(1, 1), count: 5 } },
    );
    const { stdout } = await run('email list --all --limit 2 --json');
    expect(JSON.parse(stdout)).toEqual({ data: items(3, 1), count: 5 });
  });
});

test('pages that end before the count is reached: a warning that some may be missing', async () => {
  const item = { id: 'em_1', to: ['a@b.example'] };
  const { run } = await connected(
    { body: { data: [item], count: 120 } },
    { body: { data: [], count: 120 } },
  );
  const { exitCode, stdout, stderr } = await run('email list --all --quiet');
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: 'em_1\n' });
  expect(stderr).toMatch(/^Warning: The service counts 120 emails, but its pages end after 1:/);
});

test('--json is one line in a pipe, and indented on a terminal, as the JSON of one page is', async () => {
  const { run } = await changing(
    ['em_3', 'em_2', 'em_1'].map((id) => listItem(id)),
    () => {},
  );
  const { stdout } = await run('email list --all --json');
  expect(stdout.match(/\n/g)).toHaveLength(1);
  expect(JSON.parse(stdout)).toMatchObject({ data: [{}, {}, {}], count: 3 });
  const shown = await run('email list --all --json', { terminal: 80 });
  expect(shown.stdout).toContain('{\n  "data": [\n    {"id":');
  expect(JSON.parse(shown.stdout)).toEqual(JSON.parse(stdout));
});
