import { describe, expect, test } from 'vitest';
import { connected, errorOf, key } from '../../support/connected.ts';
import { createWorld } from '../../support/run.ts';

const email = {
  id: 'em_1',
  teamId: 1,
  to: ['ana@example.org', 'Ben <ben@example.org>'],
  from: 'hello@example.com',
  subject: 'Hi',
  html: null,
  text: 'Line one\nLine two',
  createdAt: '2026-01-15T08:00:00.000Z',
  updatedAt: '2026-01-15T08:00:00.000Z',
  emailEvents: [
    { emailId: 'em_1', status: 'OPENED', createdAt: '2026-01-15T08:02:00.000Z', data: null },
    { emailId: 'em_1', status: 'SENT', createdAt: '2026-01-15T08:00:01.000Z', data: {} },
    {
      emailId: 'em_1',
      status: 'DELIVERED',
      createdAt: '2026-01-15T08:00:02.000Z',
      data: { smtpResponse: '250 ok', recipients: ['ana@example.org'] },
    },
  ],
};

test('is one GET without a body, a content type or an idempotency key', async () => {
  const { run, service } = await connected({ body: email });
  expect((await run('email get em_1')).exitCode).toBe(0);
  expect(service.requests).toHaveLength(1);
  const [request] = service.requests;
  expect(request?.method).toBe('GET');
  expect(request?.path).toBe('/api/v1/emails/em_1');
  expect(request?.body).toBe('');
  expect(request?.headers.authorization).toBe(`Bearer ${key}`);
  expect(request?.headers).not.toHaveProperty('content-type');
  expect(request?.headers).not.toHaveProperty('idempotency-key');
});

test('after -- an id may look like a flag', async () => {
  const { run, service } = await connected({ body: { ...email, id: '--wait' } });
  expect((await run('email get -- --wait')).exitCode).toBe(0);
  expect(service.requests[0]?.path).toBe('/api/v1/emails/--wait');
});

test.each([
  ['email get em_2', 'GET /v1/emails/{emailId}', email, '"em_1" instead of "em_2"'],
  [
    'contact get c_2 --book book_1',
    'GET /v1/contactBooks/{contactBookId}/contacts/{contactId}',
    { id: 'c_1', email: 'ana@example.org' },
    '"c_1" instead of "c_2"',
  ],
  [
    'template get tmpl_two2',
    'GET /v1/templates/{templateId}',
    { id: 'tmpl_one1', name: 'News' },
    '"tmpl_one1" instead of "tmpl_two2"',
  ],
])('%s is an error if the response is about another id', async (line, request, body, which) => {
  const { run } = await connected({ body });
  expect(await run(line)).toEqual({
    exitCode: 8,
    stdout: '',
    stderr: `Error: The response to ${request} is not valid: id: is ${which}\n`,
  });
});

describe('the output', () => {
  test('piped is lines of field and value, then the history as rows, oldest first', async () => {
    const { run } = await connected({ body: email });
    const { stdout } = await run('email get em_1');
    expect(stdout).toBe(
      [
        'id\tem_1',
        'latestStatus\tOPENED',
        'from\thello@example.com',
        'to\tana@example.org, Ben <ben@example.org>',
        'subject\tHi',
        'createdAt\t2026-01-15T08:00:00.000Z',
        'text\tLine one\\nLine two',
        'html\t',
        '',
        'emailEvents.createdAt\temailEvents.status\temailEvents.recipient\temailEvents.detail',
        '2026-01-15T08:00:01.000Z\tSENT\t\t',
        '2026-01-15T08:00:02.000Z\tDELIVERED\tana@example.org\t250 ok',
        '2026-01-15T08:02:00.000Z\tOPENED\t\t',
        '',
      ].join('\n'),
    );
  });

  test.each([80, 120])(
    'on a terminal of %i columns is a record and a timeline',
    async (terminal) => {
      const { run } = await connected({ body: email });
      const { stdout } = await run('email get em_1 --no-color', { terminal });
      expect(stdout).toMatch(/^Subject +Hi$/m);
      expect(stdout).toMatch(/^Created +2 hours ago\b.* 2026-01-15 08:00$/m);
      expect(stdout).toMatch(/^ {2}Line one\n {2}Line two$/m);
      const history = stdout.slice(stdout.indexOf('History\n'));
      expect(history).toMatch(/SENT[\s\S]*DELIVERED +ana@example\.org +250 ok[\s\S]*OPENED/);
      for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(terminal);
    },
  );

  test.each([80, 120])(
    'on a terminal of %i columns the reason of a bounce is whole',
    async (terminal) => {
      const said = '550 5.1.1 <bounced@example.org>: Recipient address rejected: User unknown';
      const link = `https://support.example.org/${'a'.repeat(120)}`;
      const bounce = {
        emailId: 'em_1',
        status: 'BOUNCED',
        createdAt: '2026-01-15T08:00:02.000Z',
        data: {
          bounceType: 'Permanent',
          bounceSubType: 'General',
          bouncedRecipients: [{ diagnosticCode: `smtp; ${said} ${link}` }],
        },
      };
      const reply = { ...email, to: ['bounced@example.org'], emailEvents: [bounce] };
      const { run } = await connected({ body: reply });
      const { stdout } = await run('email get em_1 --no-color', { terminal });
      const history = stdout.slice(stdout.indexOf('History\n'));
      const start = history.split('\n')[1]?.indexOf('DETAIL') ?? 0;
      const detail = history
        .split('\n')
        .slice(2)
        .map((line) => line.slice(start).trim());
      expect(detail.join('').replaceAll(' ', '')).toContain(
        `Permanent/General; smtp; ${said} ${link}`.replace(/ /g, ''),
      );
      for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(terminal);
    },
  );

  test('of an email to one recipient has no column for recipients', async () => {
    const { run } = await connected({ body: { ...email, to: 'Ana <ana@example.org>' } });
    const { stdout } = await run('email get em_1');
    const history = stdout.slice(stdout.indexOf('emailEvents.createdAt'));
    expect(history).toMatch(
      /^emailEvents\.createdAt\temailEvents\.status\temailEvents\.detail\n.*\n.*\tDELIVERED\t250 ok; ana@example\.org\n/,
    );
  });

  test('on a terminal an email without events has a note', async () => {
    const { run } = await connected({ body: { ...email, emailEvents: [] } });
    const { stdout } = await run('email get em_1', { terminal: 80 });
    expect(stdout).toContain('There are no events yet.');
  });

  test('--json is the response, unknown fields included', async () => {
    const reply = { ...email, novel: { kept: [1, null] }, latestStatus: 'OPENED' };
    const { run } = await connected({ body: reply });
    const { stdout } = await run('email get em_1 --json');
    expect(JSON.parse(stdout)).toEqual(reply);
    expect(stdout.trimEnd()).not.toContain('\n');
  });

  test('--json on a terminal is indented', async () => {
    const { run } = await connected({ body: email });
    const { stdout } = await run('email get em_1 --json', { terminal: 80 });
    expect(stdout).toContain('{\n  "id": "em_1",\n');
    expect(JSON.parse(stdout)).toEqual(email);
  });

  test('--fields picks, in order, in JSON and as lines', async () => {
    const { run } = await connected({ body: email }, { body: email });
    const json = await run('email get em_1 --json --fields emailEvents.status,subject,cc');
    expect(json.stdout).toBe(
      '{"emailEvents":{"status":["OPENED","SENT","DELIVERED"]},"subject":"Hi","cc":null}\n',
    );
    const lines = await run('email get em_1 --fields subject,to');
    expect(lines.stdout).toBe('subject\tHi\nto\tana@example.org, Ben <ben@example.org>\n');
  });

  test('--fields may name what is computed, in JSON too', async () => {
    const { run } = await connected({ body: email }, { body: email });
    expect(await run('email get em_1 --fields status,id')).toEqual({
      exitCode: 0,
      stdout: 'status\tOPENED\nid\tem_1\n',
      stderr: '',
    });
    const json = await run('email get em_1 --json --fields latestStatus,id,emailEvents.detail');
    expect(json.stdout).toBe(
      '{"latestStatus":"OPENED","id":"em_1","emailEvents":{"detail":["","250 ok",""]}}\n',
    );
  });

  test('-q is the id', async () => {
    const { run } = await connected({ body: email });
    expect(await run('email get em_1 -q')).toEqual({ exitCode: 0, stdout: 'em_1\n', stderr: '' });
  });
});

describe('with the sandbox', () => {
  test('shows the outcome of an email', async () => {
    const { stdout } = await createWorld().run('email get email_welcome --sandbox');
    expect(stdout).toMatch(/\tSENT\t[\s\S]*\tDELIVERED\t[\s\S]*\tOPENED\t/);
  });

  test('an unknown id is 4, with --wait too, and at once', async () => {
    const world = createWorld();
    for (const flags of ['', ' --wait', ' --wait=OPENED --wait-timeout 10m']) {
      const outcome = await world.run(`email get none_1 --sandbox --json${flags}`);
      expect(outcome.exitCode).toBe(4);
      expect(errorOf(outcome)).toMatchObject({ code: 'not_found', status: 404 });
    }
    expect(world.clock.pauses).toEqual([]);
  });

  test('--wait before the id is not given the id as its value', async () => {
    const { exitCode, stdout } = await createWorld().run(
      'email get --wait email_welcome --sandbox -q',
    );
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: 'email_welcome\n' });
  });

  test('--wait shows the awaited status, and is 9 for another final status', async () => {
    const world = createWorld();
    const send = (to: string) =>
      world.run([
        ...['email', 'send', '--sandbox', '-q', '--to', to, '--from', 'hello@example.com'],
        ...['--subject', 'Hi', '--text', 'Hello'],
      ]);
    const good = (await send('clicked@example.org')).stdout.trim();
    expect((await world.run(`email get ${good} --wait=CLICKED --sandbox`)).exitCode).toBe(0);
    const bad = (await send('bounced@example.org')).stdout.trim();
    const outcome = await world.run(`email get ${bad} --wait=CLICKED --sandbox`);
    expect(outcome.exitCode).toBe(9);
    expect(outcome.stdout).toMatch(/\nlatestStatus\tBOUNCED\n[\s\S]*\tBOUNCED\t/);
    expect(outcome.stderr).toMatch(/^Error: .*BOUNCED.*Permanent\/General/m);
  });
});

describe('bad input', () => {
  test.each([
    ['../../x', '"../../x"'],
    ['..', '".."'],
    ['a/b', '"a/b"'],
    ['a?b', '"a?b"'],
    ['ab', '3'],
    ['a b c', '"a b c"'],
    ['x%2e%2e', '"x%2e%2e"'],
    ['a\nb', String.raw`"a\nb"`],
    ['a\u001b[2Jb', String.raw`"a\u001b[2Jb"`],
  ])('the id %j', async (id, said) => {
    const { run, service } = await connected();
    const outcome = await run(['email', 'get', id, '--json']);
    expect(outcome.exitCode).toBe(2);
    expect(errorOf(outcome).message).toContain(said);
    expect(service.requests).toEqual([]);
  });

  test.each(['--wait=SOON', '--wait-timeout=5m', '--dry-run'])('%s', async (flag) => {
    const { run, service } = await connected();
    expect((await run(['email', 'get', 'em_1', flag])).exitCode).toBe(2);
    expect(service.requests).toEqual([]);
  });
});

test('a delay shows each message of the receiving server once', async () => {
  const delayed = ['ana', 'ben'].map((name) => ({
    emailAddress: `${name}@example.org`,
    status: '4.0.0',
    diagnosticCode: 'smtp; 451 try later',
  }));
  const data = { delayType: 'General', delayedRecipients: delayed };
  const createdAt = '2026-01-15T08:00:02.000Z';
  const event = { emailId: 'em_1', status: 'DELIVERY_DELAYED', createdAt, data };
  const { run } = await connected({ body: { ...email, emailEvents: [event] } });
  const { stdout } = await run('email get em_1');
  expect(stdout).toContain('General; smtp; 451 try later\n');
  expect(stdout.match(/451 try later/g)).toHaveLength(1);
});

describe('long HTML', () => {
  const html = `<p>${'Grüße '.repeat(2000)}</p>`;
  const long = { ...email, html, attachments: [{ filename: 'a.pdf' }, { filename: 'b.png' }] };

  test('is its size on a terminal, with the flag that shows it', async () => {
    const { run } = await connected({ body: long });
    const { stdout } = await run('email get em_1 --no-color', { terminal: 80 });
    expect(stdout).toMatch(/^HTML +16 KiB: --open shows it$/m);
    expect(stdout).toMatch(/^Attachments +a\.pdf, b\.png$/m);
  });

  test.each([
    ['--fields html', `html\t${html}\n`],
    ['-q --fields html', `${html}\n`],
    ['--json --fields html', `${JSON.stringify({ html })}\n`],
  ])('is all there with %s, and in a pipe', async (flags, printed) => {
    const { run } = await connected({ body: long }, { body: long });
    expect(
      (await run(`email get em_1 ${flags}`, { terminal: 80 })).stdout.replace(/\n */g, ''),
    ).toBe(
      printed.replace(/\n */g, '').replace('{"html":', flags.includes('json') ? '{"html": ' : ''),
    );
    expect((await run('email get em_1')).stdout).toContain(html);
  });

  test('of a few words stays', async () => {
    const { run } = await connected({ body: { ...email, html: '<p>Hi</p>' } });
    const { stdout } = await run('email get em_1 --no-color', { terminal: 80 });
    expect(stdout).toMatch(/^HTML +<p>Hi<\/p>$/m);
  });
});
