import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { connected, errorOf, fileIn } from '../../support/connected.ts';
import { bounce, mailboxService, type StoredEmail, stored } from '../../support/mailbox-service.ts';
import type { Answer } from '../../support/recorder.ts';
import { createWorld } from '../../support/run.ts';

const full = 'smtp; 452 4.2.2 mailbox full';
const gone = 'smtp; 550 5.1.1 no such mailbox';

/** Five emails in different states. */
function mixed(): StoredEmail[] {
  return [
    stored('em_5', { subject: 'Invoice 5', latestStatus: 'SENT', to: ['eva@example.net'] }),
    stored('em_4', {
      ...{ subject: 'Order 4', latestStatus: 'BOUNCED', to: ['dan@example.org'] },
      emailEvents: [
        bounce('Transient', full, 'dan@example.org'),
        { status: 'SENT', createdAt: '2026-01-15T08:00:01.000Z', data: {} },
      ],
    }),
    stored('em_3', {
      ...{ subject: 'Order 3', latestStatus: 'BOUNCED', to: ['Cy <cy@example.net>'] },
      emailEvents: [bounce('Permanent', gone, 'cy@example.net')],
    }),
    stored('em_2', {
      ...{ subject: 'ORDER 2', latestStatus: 'COMPLAINED', cc: ['boss@example.com'] },
      from: 'Shop <shop@example.com>',
      emailEvents: [
        {
          status: 'COMPLAINED',
          createdAt: '2026-01-15T09:00:00.000Z',
          data: { complaintFeedbackType: 'abuse' },
        },
      ],
    }),
    stored('em_1', { subject: 'Hello', latestStatus: 'REJECTED' }),
  ];
}

test.each(['email list --events', 'email export --output all.jsonl'])(
  '%s is a bad reply if the service lists an id that no path can hold',
  async (line) => {
    const { run, service } = await mailboxService([stored('../../etc/passwd', {})]);
    const outcome = await run(`${line} --json`);
    expect(outcome.exitCode).toBe(8);
    expect(errorOf(outcome).message).toContain('invalid id: "../../etc/passwd"');
    expect(service.requests.filter(({ path }) => path.includes('passwd'))).toEqual([]);
  },
);

describe('filters', () => {
  test.each([
    ['--status bounced', ['em_4', 'em_3']],
    ['--status bounced,complained', ['em_4', 'em_3', 'em_2']],
    ['--status BOUNCED REJECTED', ['em_4', 'em_3', 'em_1']],
    ['--failed', ['em_4', 'em_3', 'em_1']],
    ['--pending', ['em_5']],
    ['--failed --pending', ['em_5', 'em_4', 'em_3', 'em_1']],
    ['--to cy@example.net', ['em_3']],
    ['--to *@EXAMPLE.net', ['em_5', 'em_3']],
    ['--to cy@example.net,dan@EXAMPLE.org', ['em_4', 'em_3']],
    ['--to boss@example.com', ['em_2']],
    ['--from shop@example.com', ['em_2']],
    ['--from *@example.com --status sent', ['em_5']],
    ['--subject order', ['em_4', 'em_3', 'em_2']],
    ['--subject hell', ['em_1']],
    ['--subject *3', ['em_3']],
    ['--subject order --subject invoice --status sent', ['em_5']],
    ['--to nobody@example.org', []],
    ['--permanent', ['em_3']],
    ['--transient', ['em_4']],
    ['--failed --permanent', ['em_3', 'em_1']],
  ])('email list %s', async (flags, ids) => {
    const { run } = await mailboxService(mixed());
    const outcome = await run(`email list ${flags} --quiet`);
    expect(outcome).toMatchObject({ exitCode: 0, stderr: '' });
    expect(outcome.stdout).toBe(ids.map((id) => `${id}\n`).join(''));
  });

  test.each([
    ['--status bounce', 'Did you mean BOUNCED?'],
    ['--to dan@example.org,ana', '--to: "ana" is neither an email address nor a pattern'],
    ['--permanent --transient', '--permanent and --transient cannot be used together'],
    ['--failed --page 2', '--page and --failed cannot be used together'],
    ['--max-scanned 10', '--max-scanned needs a filter'],
    ['--limit 51', 'from 1 to 50'],
    ['--run nothing', 'There is no run "nothing"'],
  ])('%s is an error before any request', async (flags, message) => {
    const { run, service } = await mailboxService(mixed());
    const outcome = await run(`email list ${flags}`);
    expect(outcome.stderr).toContain(message);
    expect(outcome.exitCode).toBe(flags.startsWith('--run') ? 4 : 2);
    expect(service.requests).toEqual([]);
  });

  test('a service whose list has no status cannot be asked for one', async () => {
    const { run } = await mailboxService([stored('em_1', { latestStatus: undefined })]);
    const outcome = await run('email list --failed --json');
    expect(outcome.exitCode).toBe(4);
    expect(errorOf(outcome).code).toBe('not_offered');
  });
});

describe('what is shown', () => {
  test('--json has what matches and its number, and every format has the same', async () => {
    const { run } = await mailboxService(mixed());
    const { stdout } = await run('email list --status bounced --json');
    const document = JSON.parse(stdout);
    expect(Object.keys(document)).toEqual(['data', 'count']);
    expect(document.count).toBe(2);
    expect(document.data.map(({ id }: StoredEmail) => id)).toEqual(['em_4', 'em_3']);
    expect(document.data[0]).toHaveProperty('text', 'Hello');
    const none = await run('email list --to nobody@example.org --json');
    expect(JSON.parse(none.stdout)).toEqual({ data: [], count: 0 });
    for (const format of ['--jsonl', '--csv --fields id --no-header', '--fields id --no-header']) {
      const shown = await run(`email list --status bounced ${format}`);
      expect(shown.stdout.match(/em_\d/g)).toEqual(['em_4', 'em_3']);
    }
  });

  test('a note says how many were looked through', async () => {
    const { run } = await mailboxService(mixed());
    const outcome = await run('email list --failed');
    expect(outcome.stderr).toBe(
      'Looked through 5 emails: 3 match.\n1 email to several people may have failed for some of them. To look at it: --events\n',
    );
  });
});

describe('an email to several people', () => {
  const opened = { status: 'OPENED', createdAt: '2026-01-15T08:01:00.000Z', data: {} };
  const to = ['ana@example.org', 'Cy <CY@example.net>'];
  const unnamed = {
    ...{ status: 'BOUNCED', createdAt: '2026-01-15T08:00:05.000Z' },
    data: { bounceType: 'Permanent', bounceSubType: 'General' },
  };
  const emails = () => [
    stored('em_6', { to, latestStatus: 'OPENED', emailEvents: [opened] }),
    stored('em_5', {
      ...{ to: ['ana@example.org'], bcc: ['cy@example.net'], latestStatus: 'CLICKED' },
      emailEvents: [bounce('Permanent', gone, 'cy@example.net'), opened],
    }),
    stored('em_4', {
      ...{ to, latestStatus: 'OPENED' },
      emailEvents: [opened, bounce('Transient', full, 'cy@example.net')],
    }),
    stored('em_3', { to, latestStatus: 'OPENED', emailEvents: [opened, unnamed] }),
    stored('em_2', { latestStatus: 'OPENED', emailEvents: [opened] }),
    stored('em_1', { to, latestStatus: 'REJECTED' }),
  ];
  const deny = 'policy set --add --deny-to-file - --yes --json';

  test.each([
    ['--failed --events', ['em_5', 'em_4', 'em_3', 'em_1']],
    ['--failed', ['em_1']],
    ['--permanent', ['em_5', 'em_3']],
    ['--transient', ['em_4']],
    ['--status bounced --events', ['em_5', 'em_4', 'em_3']],
    ['--status opened --events', ['em_6', 'em_4', 'em_3', 'em_2']],
    ['--status rejected --events', ['em_1']],
    ['--failed --events --to cy@example.net --subject=*5', ['em_5']],
  ])('is found by what failed for one of them: %s', async (flags, ids) => {
    const { run } = await mailboxService(emails());
    const outcome = await run(`email list ${flags} --quiet`);
    expect(outcome.stdout.trimEnd().split('\n')).toEqual(ids);
  });

  test('is exported for what failed for one of them', async () => {
    const { run, world } = await mailboxService(emails());
    expect((await run('email export --permanent --output bounced.jsonl')).exitCode).toBe(0);
    const exported = readFileSync(join(world.home, 'bounced.jsonl'), 'utf8');
    expect(exported.match(/"id":"em_\d"/g)).toEqual(['"id":"em_5"', '"id":"em_3"']);
  });

  test('asks for no history that cannot hide a failure', async () => {
    const { run, requests } = await mailboxService(emails());
    await run('email list --failed --events --to ana@example.org --subject=*1');
    await run('email list --status rejected --events');
    expect(requests().filter((one) => /em_\d/.test(one))).toEqual([
      'GET /api/v1/emails/em_1',
      'GET /api/v1/emails/em_1',
    ]);
  });

  test('shows the failure, and for whom it was; what cannot be known is said', async () => {
    const { run } = await mailboxService(emails());
    const outcome = await run('email list --failed --events --jsonl');
    const found = outcome.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const affected = [
      ['cy@example.net'],
      ['cy@example.net'],
      null,
      ['ana@example.org', 'cy@example.net'],
    ];
    expect(found.map((one) => one.affected)).toEqual(affected);
    expect(found[0]).toMatchObject({
      latestStatus: 'CLICKED',
      lastEvent: 'BOUNCED',
      diagnostic: gone,
    });
    expect(outcome.stderr).toContain(
      'Warning: The service does not tell for which recipients 1 email failed: em_3',
    );
  });

  test('denies only those whom it failed for', async () => {
    const { run } = await mailboxService(emails());
    const listed = await run('email list --permanent --quiet --fields affected');
    expect(listed.stdout).toBe('cy@example.net\n\n');
    const set = await run(deny, { stdin: listed.stdout });
    expect(JSON.parse(set.stdout).policy).toEqual({ denyTo: ['cy@example.net'] });
    const csv = await run('email list --failed --csv --fields affected');
    const more = await run(deny, { stdin: csv.stdout });
    expect(JSON.parse(more.stdout).policy).toEqual({
      denyTo: ['cy@example.net', 'ana@example.org'],
    });
  });

  test.each(['', '--csv'])('is doubtful in a list of recipients to deny %s', async (format) => {
    const { run } = await mailboxService(emails());
    const { stdout } = await run(`email list --failed --events --fields to ${format}`);
    const outcome = await run(deny, { stdin: stdout });
    expect(outcome).toMatchObject({ exitCode: 2, stdout: '' });
    expect(errorOf(outcome).message).toContain(
      'line 3 has the recipients of an email to several people',
    );
    expect(errorOf(outcome).hint).toContain('--fields affected');
    const [, ...rows] = stdout.split(/\r?\n/);
    expect((await run(deny, { stdin: rows.join('\n') })).exitCode).toBe(0);
  });

  test('no history at all leaves the status of the list, which tells of a single recipient', async () => {
    const { run } = await mailboxService([
      stored('em_3', { latestStatus: 'COMPLAINED', to }),
      stored('em_2', { latestStatus: 'COMPLAINED', isGone: true }),
      stored('em_1', { latestStatus: 'BOUNCED' }),
    ]);
    const outcome = await run('email list --status bounced complained --jsonl --fields affected');
    expect(outcome.stdout).toBe(
      '{"affected":null}\n{"affected":["ana@example.org"]}\n{"affected":["ana@example.org"]}\n',
    );
  });

  test('is not temporary for somebody who also bounced permanently', async () => {
    const again = bounce('Transient', full, 'ana@example.org');
    const { run } = await mailboxService([
      stored('em_1', {
        latestStatus: 'BOUNCED',
        emailEvents: [bounce('Permanent', gone, 'ana@example.org'), again],
      }),
    ]);
    expect((await run('email list --transient --quiet')).stdout).toBe('');
    expect((await run('email list --permanent --quiet')).stdout).toBe('em_1\n');
  });
});

describe('how far it looks', () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, index) =>
      stored(`em_${count - index}`, { latestStatus: index % 10 === 9 ? 'BOUNCED' : 'SENT' }),
    );

  test('--limit counts what is shown, over several pages', async () => {
    const { run, requests } = await mailboxService(many(200));
    const outcome = await run('email list --failed --limit 7 --fields id --no-header');
    expect(outcome.stdout.trimEnd().split('\n')).toHaveLength(7);
    expect(outcome.stderr).toContain('7 emails shown; there may be more: use --all');
    expect(requests()).toHaveLength(2);
  });

  test('at most 5,000 without --since or --all, which is said in every format', async () => {
    const emails = many(5100);
    const { run, requests } = await mailboxService(emails);
    const outcome = await run('email list --to nobody@example.org --json');
    expect(outcome.stderr).toBe(
      'Warning: Looked through the newest 5,000 of 5,100 emails: 0 match. To look further: --since, --all, or a higher --max-scanned.\n',
    );
    expect(requests()).toHaveLength(100);
    const since = await run('email list --to nobody@example.org --since 2026-01-01 --json');
    expect(since.stderr).toBe('Looked through 5,100 emails: 0 match.\n');
    const all = await run('email list --status bounced --all --quiet');
    expect(all.stdout.trimEnd().split('\n')).toHaveLength(510);
  });

  test('with --all, the next page is requested while histories of this one are', async () => {
    const emails = many(60);
    let secondPage = () => {};
    const requested = new Promise<void>((resolve) => {
      secondPage = resolve;
    });
    const answer: Answer = async (response, { path }) => {
      const query = new URL(path, 'http://localhost').searchParams;
      const page = Number(query.get('page') ?? 0);
      if (page === 2) secondPage();
      if (page === 0) await requested;
      const data = emails.slice(50 * page - 50, 50 * page);
      const one = emails.find(({ id }) => path.endsWith(`/${id}`));
      response.end(JSON.stringify(page === 0 ? one : { data, count: emails.length }));
    };
    const { run } = await connected(...Array<Answer>(10).fill(answer));
    const outcome = await run('email list --status bounced --events --all -q');
    expect(outcome).toMatchObject({ exitCode: 0 });
    expect(outcome.stdout.trimEnd().split('\n')).toHaveLength(6);
  });

  test.each([
    ['--max-scanned 120', 12, 'Looked through 120 emails: 12 match. To look further'],
    ['--limit 10', 10, '10 emails shown; there may be more'],
  ])('%s holds if the service counts only the emails of a page', async (flags, found, note) => {
    const emails = many(500);
    const { run, requests } = await mailboxService(emails, () => {}, new Set(), {
      countsPage: true,
    });
    const outcome = await run(`email list --status bounced ${flags} --fields id --no-header`);
    expect(outcome.stdout.trimEnd().split('\n')).toHaveLength(found);
    expect(outcome.stderr).toContain(note);
    expect(requests().length).toBeLessThan(5);
  });

  test('--max-scanned sets the number', async () => {
    const { run } = await mailboxService(many(200));
    const outcome = await run('email list --failed --max-scanned 60 --since 2026-01-01 -q');
    expect(outcome.stdout.trimEnd().split('\n')).toHaveLength(6);
    expect(outcome.stderr).toContain('Looked through the newest 60 of 200 emails: 6 match.');
  });

  test('a period with an end, of which services ignore the start', async () => {
    const { run } = await mailboxService([
      stored('em_3', { createdAt: '2026-01-12T00:00:00.000Z' }),
      stored('em_2', { createdAt: '2026-01-10T00:00:00.000Z' }),
      stored('em_1', { createdAt: '2026-01-01T00:00:00.000Z' }),
    ]);
    const period = '--since 2026-01-05 --until 2026-01-11';
    const outcome = await run(`email list --status delivered ${period} --json`);
    expect(JSON.parse(outcome.stdout)).toMatchObject({ data: [{ id: 'em_2' }], count: 1 });
  });
});

describe('--events', () => {
  test('adds the last event, its time and reason, with a request for each email shown', async () => {
    const { run, requests } = await mailboxService(mixed());
    const outcome = await run('email list --status bounced,complained --events --jsonl');
    const [transient, permanent, complaint] = outcome.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(transient).toMatchObject({
      ...{ id: 'em_4', lastEvent: 'BOUNCED', lastEventAt: '2026-01-15T08:00:05.000Z' },
      ...{ bounceType: 'Transient', bounceSubType: 'MailboxFull', diagnostic: full },
      ...{ reason: `Transient/MailboxFull; ${full}`, complaint: null },
    });
    expect(permanent).toMatchObject({ bounceType: 'Permanent', diagnostic: gone });
    expect(complaint).toMatchObject({
      lastEvent: 'COMPLAINED',
      reason: 'abuse',
      complaint: 'abuse',
    });
    expect(requests().slice(1).toSorted()).toEqual(
      ['em_2', 'em_3', 'em_4'].map((id) => `GET /api/v1/emails/${id}`),
    );
  });

  test('also without a filter, on a page of the service', async () => {
    const { run } = await mailboxService(mixed());
    const outcome = await run('email list --events --limit 2 --json');
    const { data, count } = JSON.parse(outcome.stdout);
    expect(count).toBe(5);
    expect(data.map(({ lastEvent }: { lastEvent: unknown }) => lastEvent)).toEqual([
      null,
      'BOUNCED',
    ]);
  });

  test('a terminal shows the reason', async () => {
    const { run } = await mailboxService(mixed());
    const outcome = await run('email list --permanent', { terminal: 160 });
    expect(outcome.stdout).toContain('no such mailbox');
    expect(outcome.stdout).not.toContain('Kind of bounce');
  });

  test('is implied by --fields', async () => {
    const { run } = await mailboxService(mixed());
    const outcome = await run('email list --status bounced --quiet --fields id,bounceType');
    expect(outcome.stdout).toBe('em_4\tTransient\nem_3\tPermanent\n');
  });

  test('an email that was deleted after it was listed stays, without events', async () => {
    const { run } = await mailboxService([stored('em_2', { isGone: true }), stored('em_1')]);
    const outcome = await run('email list --events --csv --fields id,lastEvent');
    expect(outcome).toEqual({
      exitCode: 0,
      stderr: '',
      stdout: 'id,lastEvent\r\nem_2,\r\nem_1,\r\n',
    });
  });
});

test('--run finds the emails of a bulk run, and no others', async () => {
  const world = createWorld();
  const send = '--sandbox --from hello@example.com --subject Hi --text Hello';
  fileIn(world, 'people.csv', 'to\nbounced@example.org\nana@example.org\nben@example.org\n');
  await world.run(`email send --to bounced@example.org ${send}`);
  const sent = await world.run(`email batch people.csv ${send} --yes --quiet`);
  await world.run(`email send --to ben@example.org ${send}`);
  world.clock.advance(60_000);
  const ids = sent.stdout.trimEnd().split('\n');
  const listed = await world.run('email list --run @last --sandbox --quiet');
  expect(listed.stdout.trimEnd().split('\n').toSorted()).toEqual(ids.toSorted());
  const failed = await world.run('email list --run @last --failed --events --sandbox --json');
  const { data, count } = JSON.parse(failed.stdout);
  expect(count).toBe(1);
  expect(data[0]).toMatchObject({
    id: ids[0],
    to: ['bounced@example.org'],
    bounceType: 'Permanent',
  });
});
