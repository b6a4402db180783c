import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import PostalMime from 'postal-mime';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { bareAddress } from '../../../../src/api/bare-address.ts';
import { startSmtpDelivery } from '../../../../src/sandbox/mail/deliver/delivery.ts';
import { readSmtpUrl } from '../../../../src/sandbox/mail/deliver/smtp-url.ts';
import { resetSandbox, type SandboxOptions } from '../../../../src/sandbox/open.ts';
import { schemaVersion } from '../../../../src/sandbox/store/schema.ts';
import { openDatabase } from '../../../../src/sandbox/store/sqlite.ts';
import { StorageFailure } from '../../../../src/sandbox/store/storage-failure.ts';
import { createStore } from '../../../../src/sandbox/store/store.ts';
import { patience } from '../../../support/patience.ts';
import { answer, startCatcher } from '../../../support/smtp.ts';
import { campaign, email, hour, second, startSandbox, temporaryDirectory } from '../../harness.ts';

const minute = 60 * second;

/** Waits until `assertion` holds. */
async function eventually(assertion: () => void | Promise<void>): Promise<void> {
  await vi.waitFor(assertion, { timeout: patience, interval: 5 });
}

/** A sandbox that delivers its mail to a server when the test asks for it. */
async function delivering(url: string, options: Partial<SandboxOptions> = {}) {
  const log: string[] = [];
  const said: string[] = [];
  const sandbox = startSandbox({
    log: (line) => log.push(line),
    say: (line) => said.push(line),
    ...options,
  });
  const server = readSmtpUrl(url);
  if (server === undefined) throw new Error(`not the URL of an SMTP server: ${url}`);
  const delivery = await sandbox.sandbox.deliverBySmtp(server);
  onTestFinished(async () => {
    await delivery.stop();
  });

  async function send(fields: Record<string, unknown> = {}) {
    const { emailId } = await sandbox.ok('email.send', { body: email(fields) });
    return emailId;
  }

  /** The statuses in an email's history, sorted. */
  async function history(emailId: string) {
    const { emailEvents } = await sandbox.ok('email.get', { params: { emailId } });
    return emailEvents.map(({ status }) => status).toSorted();
  }

  async function dataOf(emailId: string, status: string) {
    const { emailEvents } = await sandbox.ok('email.get', { params: { emailId } });
    return emailEvents.filter((event) => event.status === status).map(({ data }) => data);
  }

  /** Delivers what is due, and waits until the email has this history. */
  async function until(emailId: string, ...statuses: string[]) {
    delivery.work();
    await eventually(async () => expect(await history(emailId)).toEqual(statuses.toSorted()));
  }

  return { ...sandbox, delivery, log, said, server, send, history, dataOf, until };
}

/** The URL of a port on which nothing listens. */
async function nobody(): Promise<string> {
  const catcher = await startCatcher();
  await catcher.close();
  return catcher.url;
}

describe('a message that the server accepts', () => {
  test('arrives at all recipients, with the outcome of the server', async () => {
    const catcher = await startCatcher();
    const { send, until, dataOf } = await delivering(catcher.url);
    const emailId = await send({
      from: '"Shop, Online" <Shop@example.com>',
      to: ['Ana <Ana@Example.org>', 'bo@example.org'],
      cc: 'copy@example.org',
      bcc: ['secret@example.org', 'BO@example.org'],
      text: '.\r\n..two\n.\n',
    });
    await until(emailId, ...Array(4).fill('SENT'), ...Array(4).fill('DELIVERED'));
    expect(catcher.received).toHaveLength(1);
    const [message] = catcher.received;
    expect(message).toMatchObject({
      from: 'Shop@example.com',
      to: ['Ana@example.org', 'BO@example.org', 'copy@example.org', 'secret@example.org'],
    });
    expect(message?.source).toMatch(/\r\n\r\n\.\r\n\.\.two\r\n\.\r\n$/);
    expect(message?.source).not.toMatch(/secret|bcc/i);
    expect(message?.source).toContain(`Message-ID: <${emailId}@sandbox.example.com>`);
    const data = await dataOf(emailId, 'DELIVERED');
    expect(data).toContainEqual(
      expect.objectContaining({
        recipients: ['ana@example.org'],
        smtpResponse: expect.stringMatching(/^250 /),
        timestamp: '2026-01-31T12:00:00.000Z',
      }),
    );
  });

  test('is sent once, but not if scheduled, cancelled or suppressed', async () => {
    const catcher = await startCatcher();
    const { send, until, ok, advance, delivery, history } = await delivering(catcher.url);
    const scheduledAt = '2026-01-31T13:00:00Z';
    const later = await send({ scheduledAt, subject: 'Later' });
    const cancelled = await send({ scheduledAt, subject: 'Cancelled' });
    await ok('email.cancel', { params: { emailId: cancelled } });
    const none = await send({ to: 'suppressed@example.org', subject: 'None' });
    const some = await send({ to: ['suppressed@example.org', 'a@example.org'], subject: 'Some' });
    await until(some, 'SENT', 'DELIVERED');
    expect(await history(none)).toEqual(['SUPPRESSED']);
    expect(await history(later)).toEqual([]);
    advance(hour);
    await ok('email.list', { query: {} });
    await until(later, 'SENT', 'DELIVERED');
    delivery.work();
    expect(catcher.received.map(({ to }) => to)).toEqual([
      ['a@example.org'],
      ['delivered@example.com'],
    ]);
  });

  test('of a campaign counts for it', async () => {
    const catcher = await startCatcher();
    const { ok, advance, delivery, request } = await delivering(catcher.url);
    const created = await ok('campaign.create', { body: campaign({ sendNow: true }) });
    advance(hour);
    await ok('email.list', { query: {} });
    delivery.work();
    const counted = async () => (await request('GET', `/campaigns/${created.id}`)).body;
    expect(await counted()).toMatchObject({ total: 11 });
    await eventually(async () =>
      expect(await counted()).toMatchObject({ sent: 11, delivered: 11, opened: 0 }),
    );
    expect(catcher.received).toHaveLength(11);
    expect(catcher.received[0]?.source).toMatch(/^List-Unsubscribe:\s+<http:.*>\r$/m);
  });
});

describe('a message that the server rejects', () => {
  test('for one recipient bounces for that one, which is then suppressed', async () => {
    const catcher = await startCatcher({
      onRecipient: (address) =>
        address === 'gone@example.org' ? answer(550, '5.1.1 No such user\nhere') : null,
    });
    const { send, until, dataOf, history } = await delivering(catcher.url);
    const emailId = await send({ to: ['gone@example.org', 'here@example.org'] });
    await until(emailId, 'SENT', 'SENT', 'BOUNCED', 'DELIVERED');
    expect(await dataOf(emailId, 'BOUNCED')).toEqual([
      {
        timestamp: '2026-01-31T12:00:00.000Z',
        bounceType: 'Permanent',
        bounceSubType: 'General',
        bouncedRecipients: [
          {
            emailAddress: 'gone@example.org',
            action: 'failed',
            status: '5.1.1',
            diagnosticCode: expect.stringMatching(/^smtp; 550 [- ]?5\.1\.1 No such user.*here$/),
          },
        ],
      },
    ]);
    expect(await history(await send({ to: 'gone@example.org' }))).toEqual(['SUPPRESSED']);
  });

  test.each([
    [
      'at MAIL',
      {
        onMailFrom: (_a: unknown, _s: unknown, done: (e: Error) => void) => done(answer(550, 'no')),
      },
    ],
    ['for all at RCPT', { onRecipient: () => answer(550, 'no') }],
    ['after DATA', { onMessage: () => answer(554, 'no') }],
  ])('%s bounces for all', async (_, options) => {
    const { send, until, dataOf } = await delivering((await startCatcher(options)).url);
    const emailId = await send({ to: ['a@example.org', 'b@example.org'] });
    await until(emailId, 'SENT', 'SENT', 'BOUNCED', 'BOUNCED');
    expect(await dataOf(emailId, 'BOUNCED')).toContainEqual(
      expect.objectContaining({
        bounceType: 'Permanent',
        bouncedRecipients: [
          expect.objectContaining({
            emailAddress: 'b@example.org',
            status: '5.0.0',
            diagnosticCode: expect.stringMatching(/^smtp; 55[04] no$/),
          }),
        ],
      }),
    );
  });

  test('leaves the connection open for the next one', async () => {
    const catcher = await startCatcher({
      onRecipient: (address) => (address.startsWith('gone') ? answer(550, 'no') : null),
    });
    const { send, until } = await delivering(catcher.url);
    const first = await send({ to: 'gone@example.org' });
    await until(first, 'SENT', 'BOUNCED');
    await until(await send({ to: 'a@example.org' }), 'SENT', 'DELIVERED');
    expect(catcher.connections()).toBe(1);
  });
});

describe('a message that the server rejects temporarily', () => {
  test('is retried for the remaining recipients', async () => {
    let full = true;
    const catcher = await startCatcher({
      onRecipient: (address) => {
        if (address.startsWith('gone')) return answer(550, 'no');
        return full && address.startsWith('full') ? answer(452, '4.2.2 Mailbox full') : null;
      },
    });
    const { send, until, dataOf, advance, delivery } = await delivering(catcher.url);
    const to = ['gone@example.org', 'full@example.org', 'a@example.org'];
    const emailId = await send({ to });
    const first = ['SENT', 'SENT', 'SENT', 'BOUNCED', 'DELIVERY_DELAYED', 'DELIVERED'];
    await until(emailId, ...first);
    expect(await dataOf(emailId, 'DELIVERY_DELAYED')).toEqual([
      {
        timestamp: '2026-01-31T12:00:00.000Z',
        delayType: 'General',
        expirationTime: '2026-02-01T00:00:00.000Z',
        delayedRecipients: [
          {
            emailAddress: 'full@example.org',
            status: '4.2.2',
            diagnosticCode: 'smtp; 452 4.2.2 Mailbox full',
          },
        ],
      },
    ]);
    full = false;
    advance(minute - 1);
    delivery.work();
    advance(1);
    await until(emailId, ...first, 'DELIVERED');
    expect(catcher.received.map((message) => message.to)).toEqual([
      ['a@example.org'],
      ['full@example.org'],
    ]);
    const [one, two] = catcher.received;
    expect(one?.source).toBe(two?.source);
  });

  test('is retried after 1, 5, 15 and then every 60 minutes, for 12 hours, and suppresses no address', async () => {
    const catcher = await startCatcher({ onMessage: () => answer(451, '4.7.1 Greylisted') });
    const { send, until, dataOf, clock, sandbox, history } = await delivering(catcher.url);
    const begin = clock.now;
    const emailId = await send();
    const tries: number[] = [];
    for (let dueAt: number | undefined = begin; dueAt !== undefined; ) {
      const due: number = dueAt;
      clock.now = due;
      tries.push((due - begin) / minute);
      await until(emailId, 'SENT', 'DELIVERY_DELAYED', ...(tries.length > 15 ? ['BOUNCED'] : []));
      await eventually(() => expect(waiting(sandbox.path)).not.toEqual([due]));
      [dueAt] = waiting(sandbox.path);
    }
    expect(tries).toEqual([0, 1, 6, 21, ...Array.from({ length: 11 }, (_, n) => 81 + n * 60), 720]);
    expect(await dataOf(emailId, 'BOUNCED')).toMatchObject([
      { bounceType: 'Transient', bouncedRecipients: [{ status: '4.7.1', action: 'failed' }] },
    ]);
    expect(await history(await send())).not.toContain('SUPPRESSED');
  });

  test('and is given up counts as a soft bounce of its campaign', async () => {
    const catcher = await startCatcher({ onMessage: () => answer(451, 'Not now') });
    const { ok, advance, delivery, sandbox, request } = await delivering(catcher.url);
    const { id } = await ok('campaign.create', { body: campaign({ sendNow: true }) });
    advance(second);
    const counted = async () => (await request('GET', `/campaigns/${id}`)).body;
    await counted();
    delivery.work();
    await eventually(async () => expect(await counted()).toMatchObject({ sent: 11 }));
    advance(12 * hour);
    delivery.work();
    await eventually(() => expect(waiting(sandbox.path)).toEqual([]));
    expect(await counted()).toMatchObject({ bounced: 11, hardBounced: 0, delivered: 0 });
  });
});

describe('a connection', () => {
  test.each([
    ['in the middle of the message', { onFirstBytes: () => 'drop' as const }],
    ['before the answer', { onMessage: () => 'drop' as const }],
  ])('that is lost %s causes a retry, under the same id', async (_, options) => {
    const first = await startCatcher(options);
    const { send, until, advance, log, dataOf, ok } = await delivering(first.url);
    const emailId = await send({ text: 'long '.repeat(30_000) });
    await until(emailId, 'DELIVERY_DELAYED');
    expect(await dataOf(emailId, 'DELIVERY_DELAYED')).toMatchObject([
      { delayType: 'TransientCommunicationFailure', delayedRecipients: [{ status: '4.0.0' }] },
    ]);
    expect(log).toEqual([expect.stringContaining('did not respond to a message')]);
    await first.close();
    const second = await startCatcher({ port: first.port });
    advance(minute);
    await ok('email.list', { query: {} });
    await until(emailId, 'DELIVERY_DELAYED', 'SENT', 'DELIVERED');
    expect(second.received[0]?.source).toContain(`Message-ID: <${emailId}@`);
    expect(second.received).toHaveLength(1);
  });

  test('that the server closes between two messages is opened again at once', async () => {
    const catcher = await startCatcher();
    const { send, until } = await delivering(catcher.url);
    await until(await send(), 'SENT', 'DELIVERED');
    await catcher.close();
    await startCatcher({ port: catcher.port });
    await until(await send(), 'SENT', 'DELIVERED');
  });
});

test('a connection that is lost before a message was sent causes no delay', async () => {
  const breaking = { now: false };
  const catcher = await startCatcher({
    onRecipient: () => {
      if (!breaking.now) return null;
      breaking.now = false;
      catcher.drop();
      return null;
    },
  });
  const { send, until } = await delivering(catcher.url);
  await until(await send(), 'SENT', 'DELIVERED');
  breaking.now = true;
  await until(await send(), 'SENT', 'DELIVERED');
});

test('a delivery interrupted at the end counts as not tried', async () => {
  const silent = createServer((socket) => socket.write('220 silent\r\n'));
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    silent.close();
  });
  // The address of a TCP server is always an AddressInfo.
  const { port } = silent.address() as AddressInfo;
  const { send, delivery, history, log } = await delivering(`smtp://127.0.0.1:${port}`);
  const emailId = await send();
  const connected = once(silent, 'connection');
  delivery.work();
  await connected;
  expect(await delivery.stop()).toBe(1);
  expect(await history(emailId)).toEqual([]);
  expect(log).toEqual([]);
});

describe('a server that cannot be used', () => {
  test('is reported once, and so is its return; nothing is lost in between', async () => {
    const { send, until, advance, log, said, delivery, dataOf, server } = await delivering(
      await nobody(),
    );
    const ids = await Promise.all(Array.from({ length: 20 }, () => send()));
    for (const id of ids) await until(id, 'DELIVERY_DELAYED');
    await delivery.check();
    expect(log).toEqual([
      expect.stringMatching(
        /^The SMTP server 127\.0\.0\.1:\d+ cannot be used: .*ECONNREFUSED.*\. Mail waits/,
      ),
    ]);
    expect(await dataOf(ids[0] ?? '', 'DELIVERY_DELAYED')).toMatchObject([
      { delayType: 'TransientCommunicationFailure' },
    ]);
    const catcher = await startCatcher({ port: Number(server.name.split(':')[1]) });
    advance(minute);
    for (const id of ids) await until(id, 'DELIVERY_DELAYED', 'SENT', 'DELIVERED');
    expect(catcher.received).toHaveLength(20);
    expect(log).toHaveLength(1);
    expect(said).toEqual([`The SMTP server ${server.name} accepts mail again.`]);
  });

  test.each([
    ['wrong', 'Invalid login'],
    ['', 'credentials'],
  ])(
    'because the password is %j bounces nothing, and does not show the password',
    async (pass, why) => {
      const catcher = await startCatcher({
        authOptional: false,
        onAuth: (auth, _session, done) =>
          auth.password === 'right-s3cret' ? done(null, { user: 1 }) : done(new Error('Not you')),
      });
      const url = `smtp://ana${pass === '' ? '' : `:${pass}-s3cret`}@127.0.0.1:${catcher.port}`;
      const { send, until, log, dataOf } = await delivering(url);
      const emailId = await send();
      await until(emailId, 'DELIVERY_DELAYED');
      expect(log).toEqual([expect.stringContaining(why)]);
      const told = JSON.stringify([log, await dataOf(emailId, 'DELIVERY_DELAYED')]);
      expect(told).not.toContain('s3cret');
    },
  );

  test.each([
    ['as AUTH PLAIN sends it', (line: string) => `500 5.5.1 unrecognized: "${line}"`],
    ['without padding', (line: string) => `535 5.7.8 ${line.replaceAll('=', '')}`],
    ['as it is', () => '535 5.7.8 p@ss:w/rd is not the password'],
  ])('and repeats the login %s does not reveal it', async (_, reply) => {
    const url = await server(({ line, write }) => {
      if (line.startsWith('EHLO')) write('250-here\r\n250 AUTH PLAIN');
      else write(reply(line));
    });
    const password = encodeURIComponent('p@ss:w/rd');
    const { send, until, delivery, log, dataOf } = await delivering(
      url.replace('//', `//ana:${password}@`),
    );
    await delivery.check();
    const emailId = await send();
    await until(emailId, 'DELIVERY_DELAYED');
    const told = JSON.stringify([log, await dataOf(emailId, 'DELIVERY_DELAYED')]);
    expect(told).toContain('(hidden)');
    expect(told).not.toContain('p@ss:w/rd');
    for (const login of ['\0ana\0p@ss:w/rd', 'p@ss:w/rd']) {
      expect(told).not.toContain(Buffer.from(login).toString('base64').replaceAll('=', ''));
    }
  });

  test('because it has no TLS gets no password, unless it is on this machine', async () => {
    const commands: string[] = [];
    const url = await server(({ line, write }) => {
      commands.push(line.split(' ')[0] ?? '');
      if (line.startsWith('EHLO')) write('250-here\r\n250 AUTH PLAIN');
      else if (line === 'STARTTLS') write('502 5.5.1 not here');
      else if (line.startsWith('AUTH')) write('235 2.7.0 welcome');
      else write('250 2.0.0 ok');
    });
    // Another address of this machine, which does not count as loopback.
    const elsewhere = url.replace('//127.0.0.1', '//ana:s3cret@0.0.0.0');
    const { delivery, log } = await delivering(elsewhere);
    await delivery.check();
    expect(log).toEqual([expect.stringMatching(/cannot be used: .*STARTTLS/)]);
    expect(commands).not.toContain('AUTH');

    for (const decided of [
      `${elsewhere}?ignoreTLS=true`,
      `${elsewhere}?requireTLS=false`,
      url.replace('//', '//ana:s3cret@'),
    ]) {
      commands.length = 0;
      const other = await delivering(decided);
      await other.delivery.check();
      expect({ decided, log: other.log }).toEqual({ decided, log: [] });
      expect(commands).toContain('AUTH');
    }
  });

  test('because it requires a login bounces nothing', async () => {
    const catcher = await startCatcher({ authOptional: false });
    const { send, until, log } = await delivering(catcher.url);
    await until(await send(), 'DELIVERY_DELAYED');
    expect(log).toEqual([expect.stringContaining('cannot be used')]);
  });

  test('can be used with the right password', async () => {
    const catcher = await startCatcher({
      authOptional: false,
      onAuth: (auth, _session, done) =>
        auth.password === 'p@ss:w/rd' ? done(null, { user: 1 }) : done(new Error('Not you')),
    });
    const url = `smtp://ana:${encodeURIComponent('p@ss:w/rd')}@127.0.0.1:${catcher.port}`;
    const { send, until, delivery, log } = await delivering(url);
    await delivery.check();
    await until(await send(), 'SENT', 'DELIVERED');
    expect(log).toEqual([]);
  });
});

test('a response that cannot be stored is kept, and the message is not sent twice', async () => {
  const catcher = await startCatcher();
  const { send, until, delivery, log, sandbox } = await delivering(catcher.url);
  const store = storeAt(sandbox.path);
  store.run(
    `CREATE TRIGGER full BEFORE DELETE ON deliveries BEGIN SELECT RAISE(ABORT, 'full'); END`,
  );
  const emailId = await send();
  delivery.work();
  await eventually(() => expect(log).toEqual([expect.stringMatching(/is not stored yet: full$/)]));
  expect(() => delivery.work()).toThrow('full');
  store.run('DROP TRIGGER full');
  await until(emailId, 'SENT', 'DELIVERED');
  expect(catcher.received).toHaveLength(1);
});

test('an email that cannot be composed fails, and others are sent', async () => {
  const catcher = await startCatcher();
  const { send, until, log, sandbox, dataOf } = await delivering(catcher.url);
  const bad = await send();
  const store = storeAt(sandbox.path);
  store.run("UPDATE emails SET headers = 'no JSON' WHERE id = ?", bad);
  const good = await send();
  await until(good, 'SENT', 'DELIVERED');
  await eventually(() => expect(log).toHaveLength(1));
  store.run("UPDATE emails SET headers = '{}' WHERE id = ?", bad);
  await until(bad, 'FAILED');
  expect(await dataOf(bad, 'FAILED')).toMatchObject([{ error: expect.stringContaining('JSON') }]);
  expect(log).toEqual([expect.stringContaining(`${bad} cannot be sent to the SMTP server`)]);
});

test('a URL cannot turn on logging, which would print the password', () => {
  const server = readSmtpUrl(
    'smtp://ana:secret@127.0.0.1?logger=true&debug=true&transactionLog=true&component=x&pool=true',
  );
  expect(server?.url).toBe('smtp://ana:secret@127.0.0.1?pool=true');
  expect(server?.name).toBe('127.0.0.1:587');
});

test('an unreadable email stays due, is reported once, and is not retried endlessly', async () => {
  const catcher = await startCatcher();
  const { send, until, delivery, log, sandbox, history } = await delivering(catcher.url);
  const emailId = await send();
  const store = storeAt(sandbox.path);
  store.run('ALTER TABLE attachments RENAME TO gone');
  for (let call = 0; call < 3; call++) {
    delivery.work();
    await eventually(() => expect(log).toHaveLength(1));
    // Long enough for many attempts, if each started the next.
    for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
  }
  expect(log).toEqual([`${emailId} cannot be read, so it waits: no such table: attachments`]);
  store.run('ALTER TABLE gone RENAME TO attachments');
  expect(await history(emailId)).toEqual([]);
  await until(emailId, 'SENT', 'DELIVERED');
});

test('a disk that fails makes no email FAILED', async () => {
  const catcher = await startCatcher();
  const { send, sandbox, server, log } = await delivering(catcher.url);
  const emailId = await send();
  const store = storeAt(sandbox.path);
  let failing = true;
  const delivery = await startSmtpDelivery({
    store: {
      ...store,
      all(sql, ...values) {
        if (failing && sql.includes('FROM attachments')) throw new StorageFailure('It fails.');
        return store.all(sql, ...values);
      },
    },
    clock: () => sandbox.now(),
    server,
    log: (line) => log.push(line),
    say: () => {},
  });
  onTestFinished(async () => {
    await delivery.stop();
  });
  delivery.work();
  await eventually(() =>
    expect(log).toEqual([`${emailId} cannot be read, so it waits: It fails.`]),
  );
  failing = false;
  delivery.work();
  await eventually(() => expect(catcher.received).toHaveLength(1));
});

test.each([
  ['from the start', 'smtps:', { secure: true }],
  ['by STARTTLS', 'smtp:', { disabledCommands: [] }],
])('TLS %s needs no trusted certificate on loopback', async (_, scheme, options) => {
  // With the certificate of the server's package, which prints a warning.
  const told = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  onTestFinished(() => told.mockRestore());
  const secured: unknown[] = [];
  const catcher = await startCatcher({
    ...options,
    onSecure: (_socket, session, done) => {
      secured.push(session.secure);
      done();
    },
  });
  const { send, until } = await delivering(catcher.url.replace('smtp:', scheme));
  await until(await send(), 'SENT', 'DELIVERED');
  expect(secured).toEqual([true]);
});

test('a response with many spaces is treated like all others', async () => {
  let isData = false;
  const url = await server(({ line, write }) => {
    if (isData && line !== '.') return;
    isData = line === 'DATA';
    if (isData) write('354 go on');
    else if (line === '.') write(`250 2.0.0 taken${' '.repeat(900_000)}\u001b[31mred`);
    else write('250 ok');
  });
  const { send, until, dataOf } = await delivering(url);
  const emailId = await send();
  await until(emailId, 'SENT', 'DELIVERED');
  expect(JSON.stringify(await dataOf(emailId, 'DELIVERED')).length).toBeLessThan(2000);
});

describe('hostile input', () => {
  test('is no command to the server', async () => {
    const catcher = await startCatcher();
    const { send, until, sandbox, dataOf } = await delivering(catcher.url);
    const emailId = await send({ to: ['a@example.org', 'b@example.org'] });
    const attack = [
      '"a\r\nRCPT TO:<x@evil.example>"@example.org',
      'b@example.org>\r\nRCPT TO:<y@x.y',
    ];
    const store = storeAt(sandbox.path);
    store.run(
      'UPDATE emails SET recipients = ?, cc = ?',
      JSON.stringify(attack),
      '["c@example.org"]',
    );
    store.run(
      'UPDATE deliveries SET recipients = ?',
      JSON.stringify([...attack.map(bareAddress), 'c@example.org']),
    );
    await until(emailId, 'SENT', 'SENT', 'SENT', 'BOUNCED', 'BOUNCED', 'DELIVERED');
    expect(catcher.received).toMatchObject([{ to: ['c@example.org'] }]);
    expect(JSON.stringify(await dataOf(emailId, 'BOUNCED'))).toContain('553 5.1.3');
  });

  test('in the sender rejects the message, and leaves the connection usable', async () => {
    const catcher = await startCatcher();
    const { send, until, sandbox } = await delivering(catcher.url);
    const bad = await send({ to: 'x@example.org' });
    storeAt(sandbox.path).run('UPDATE emails SET sender = ?', 'a@example.com>\r\nDATA');
    const good = await send();
    await until(bad, 'SENT', 'BOUNCED');
    await until(good, 'SENT', 'DELIVERED');
  });

  test('is a quoted or a non-ASCII address like any other', async () => {
    const catcher = await startCatcher();
    const { send, until } = await delivering(catcher.url);
    const to = ['"a,b"@example.org', 'käthe@example.org', 'x@bücher.example', '"q<r"@example.org'];
    const emailId = await send({ to });
    await until(emailId, ...Array(4).fill('SENT'), 'BOUNCED', ...Array(3).fill('DELIVERED'));
    expect(catcher.received.flatMap((message) => message.to).toSorted()).toEqual(
      ['"a,b"@example.org', 'käthe@example.org', 'x@bücher.example'].toSorted(),
    );
  });

  test('of 2 MB for 50 recipients arrives unmodified', async () => {
    const catcher = await startCatcher();
    const { send, until } = await delivering(catcher.url);
    const content = Buffer.alloc(2_000_000, '.\r\n\0ü');
    const to = Array.from({ length: 50 }, (_, n) => `r${n}@example.org`);
    const attachments = [{ filename: 'big.bin', content: content.toString('base64') }];
    const emailId = await send({ to, attachments });
    await until(emailId, ...Array(50).fill('SENT'), ...Array(50).fill('DELIVERED'));
    const [message] = catcher.received;
    expect(message?.to).toEqual(to);
    const parsed = await PostalMime.parse(Buffer.from(message?.source ?? '', 'latin1'));
    const arrived = parsed.attachments[0]?.content;
    expect(arrived instanceof ArrayBuffer && content.equals(new Uint8Array(arrived))).toBe(true);
  });
});

describe('the process that delivers', () => {
  test('is the server that was started last; others leave it to that one', async () => {
    const [one, two] = [await startCatcher(), await startCatcher()];
    const directory = temporaryDirectory();
    const first = await delivering(one.url, { directory });
    const emailId = await first.send();
    const second = await delivering(two.url, { directory });
    first.delivery.work();
    expect(first.log).toEqual([expect.stringContaining('Another server was started')]);
    await second.until(emailId, 'SENT', 'DELIVERED');
    await first.delivery.stop();
    await second.until(await first.send(), 'SENT', 'DELIVERED');
    expect([one.received.length, two.received.length]).toEqual([0, 2]);
  });

  test('retries waiting mail at once, with the pauses from the start', async () => {
    const { send, delivery, sandbox, log, server, advance } = await delivering(await nobody());
    await send();
    const store = storeAt(sandbox.path);
    const bestEffort = () =>
      store.one<{ attempts: number }>('SELECT attempts FROM deliveries')?.attempts;
    delivery.work();
    await eventually(() => expect(bestEffort()).toBe(1));
    advance(minute);
    delivery.work();
    await eventually(() => expect(bestEffort()).toBe(2));
    const next = await sandbox.deliverBySmtp(server);
    onTestFinished(async () => {
      await next.stop();
    });
    next.work();
    await eventually(() => expect(bestEffort()).toBe(1));
    expect(log).toContainEqual(expect.stringContaining('cannot be used'));
  });

  test('has ended: delivery is simulated, and waiting mail stays', async () => {
    const { send, until, delivery, advance, history, sandbox, ok } = await delivering(
      await nobody(),
    );
    const waits = await send();
    await until(waits, 'DELIVERY_DELAYED');
    expect(await delivery.stop()).toBe(1);
    const emailId = await send();
    advance(2 * second);
    await ok('email.list', { query: {} });
    expect(await history(emailId)).toEqual(['DELIVERED', 'SENT']);
    expect(await history(waits)).toEqual(['DELIVERY_DELAYED']);
    expect(sandbox.deliverByItself()).toBe(1);
  });

  test('continues after a reset, without the mail from before', async () => {
    const catcher = await startCatcher();
    const directory = temporaryDirectory();
    const { send, until, clock } = await delivering(catcher.url, { directory });
    await send();
    resetSandbox({ directory, now: () => clock.now });
    const emailId = await send({ to: 'after@example.org' });
    await until(emailId, 'SENT', 'DELIVERED');
    expect(catcher.received.map(({ to }) => to)).toEqual([['after@example.org']]);
  });

  test('forgets a message after a reset, even while it is being sent', async () => {
    const directory = temporaryDirectory();
    const clock = { now: Date.parse('2026-01-31T12:00:00.000Z') };
    const catcher = await startCatcher({
      onMessage: () => {
        resetSandbox({ directory, now: () => clock.now });
        return answer(550, 'no');
      },
    });
    const { send, delivery, ok } = await delivering(catcher.url, { directory });
    await send({ to: 'a@example.org' });
    delivery.work();
    await eventually(() =>
      expect(waiting(`${directory}/sandbox-v${schemaVersion}.sqlite`)).toEqual([]),
    );
    await delivery.stop();
    const { count } = await ok('email.list', { query: {} });
    expect(count).toBe(2);
  });
});

interface Heard {
  readonly line: string;
  readonly write: (reply: string) => void;
}

/** The URL of a server that responds to each line as `hear` decides. */
async function server(hear: (heard: Heard) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const listener = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    const write = (reply: string) => {
      socket.write(`${reply}\r\n`);
    };
    write('220 here');
    createInterface({ input: socket }).on('line', (line) => hear({ line, write }));
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    listener.close();
  });
  // The address of a TCP server is always an AddressInfo.
  const { port } = listener.address() as AddressInfo;
  return `smtp://127.0.0.1:${port}`;
}

function storeAt(path: string) {
  const store = createStore(openDatabase(path));
  onTestFinished(() => store.close());
  return store;
}

/** When each waiting delivery is due. */
function waiting(path: string): number[] {
  const store = createStore(openDatabase(path));
  try {
    return store.all<{ at: number }>('SELECT due_at AS at FROM deliveries').map(({ at }) => at);
  } finally {
    store.close();
  }
}
