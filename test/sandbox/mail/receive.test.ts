import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import nodemailer, { type SendMailOptions } from 'nodemailer';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { makeCertificate } from '../../../src/sandbox/mail/receive/certificate.ts';
import {
  parseMessage,
  type ReceivedEmail,
} from '../../../src/sandbox/mail/receive/parse-message.ts';
import { maxMessageBytes, receiveMail } from '../../../src/sandbox/mail/receive/smtp-server.ts';
import { exportSandbox } from '../../../src/sandbox/open.ts';
import { seedFile } from '../../../src/sandbox/seeds/seed-file.ts';
import { patience } from '../../support/patience.ts';
import { start, startSandbox, temporaryDirectory } from '../harness.ts';

const tls = makeCertificate(['localhost', '127.0.0.1'], Date.now());

/** A sandbox that receives mail over SMTP. */
async function startReceiver(store?: (email: ReceivedEmail, key: string) => Promise<string>) {
  const directory = temporaryDirectory();
  const started = startSandbox({ directory });
  const { sandbox, ok } = started;
  const receive = store ?? (async (email: ReceivedEmail) => sandbox.receive(email));
  const receiver = await receiveMail({
    ...{ host: '127.0.0.1', port: 0, tls, store: receive },
    failure: async (command, key) =>
      await ((await sandbox.account(key)) ?? sandbox).smtpFailure(command),
  });
  let closed = false;
  const close = async () => {
    if (!closed) await receiver.close();
    closed = true;
  };
  onTestFinished(close);
  const { port } = receiver;
  const send = (mail: SendMailOptions, rest: object = {}) =>
    nodemailer
      .createTransport({ host: '127.0.0.1', port, tls: { ca: tls.cert }, ...rest })
      .sendMail(mail);
  /** The subjects of all emails except the seeded ones, newest first. */
  const subjects = async () => {
    const { data } = await ok('email.list', { query: {} });
    return data.filter(({ id }) => !id.startsWith('email_')).map(({ subject }) => subject);
  };
  /** The newest email, and its page in the inbox. */
  const newest = async () => {
    const { data } = await ok('email.list', { query: {} });
    const [email] = data;
    const page = async (path: string) => {
      const url = `http://sandbox.test/messages/${email?.id}${path}`;
      return await (await sandbox.fetch(new Request(url))).text();
    };
    return { email, page };
  };
  return { ...started, directory, port, send, subjects, newest, close };
}

/** A connection that writes lines after the greeting, and what the server responded. */
async function openLine(port: number) {
  const socket = connect(port, '127.0.0.1');
  let heard = '';
  socket.on('data', (chunk: Buffer) => {
    heard += chunk.toString('latin1');
  });
  socket.on('error', () => {});
  onTestFinished(() => {
    socket.destroy();
  });
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  const hears = (expected: RegExp) => vi.waitFor(() => expect(heard).toMatch(expected), patience);
  await hears(/^220 .*\r\n/);
  heard = '';
  return { socket, closed, heard: () => heard, hears };
}

const hello = {
  from: 'Shop <shop@example.com>',
  to: 'ana@example.org',
  subject: 'Hi',
  text: 'Hello',
};

describe('a message', () => {
  test('is an email with all its parts, and its unmodified source', async () => {
    const { send, newest } = await startReceiver();
    await send({
      from: { name: 'Köln & Co.', address: 'shop@example.com' },
      to: ['Ana <ana@example.org>', 'Ben@example.org'],
      cc: '"B, C" <cc@example.org>',
      replyTo: 'help@example.com',
      subject: 'Grüße\u{1F4E6}',
      text: '.\nHello\n..\n',
      html: '<p>Hello</p>',
      headers: { 'X-Order': '7', 'X-Ümlaut': 'no' },
      attachments: [{ filename: '../ä.bin', content: Buffer.from([0, 1, 255]) }],
    });
    const { email, page } = await newest();
    expect(email).toMatchObject({
      from: '"Köln & Co." <shop@example.com>',
      to: ['Ana <ana@example.org>', 'Ben@example.org'],
      cc: ['"B, C" <cc@example.org>'],
      bcc: [],
      replyTo: ['help@example.com'],
      subject: 'Grüße\u{1F4E6}',
      text: '.\nHello\n..',
      html: '<p>Hello</p>',
      domainId: 1,
    });
    expect(await page('?view=headers')).toMatch(/X-Order<[\s\S]{1,40}>7</);
    const source = await page('/source.eml');
    expect(source).toMatch(/^From: =\?UTF-8\?.*\r\n/m);
    expect(source).toContain('X-Order: 7\r\n');
    expect(await page('/html')).toContain('<p>Hello</p>');
    expect(await page('?view=attachments')).toContain('ä.bin');
    expect(Buffer.from(await page('/attachments/0')).subarray(0, 2)).toEqual(Buffer.from([0, 1]));
  });

  test('has its own images in the HTML that the inbox shows, and no others', async () => {
    const { send, newest } = await startReceiver();
    const image = (cid: string, filename: string) => ({ cid, filename, content: filename });
    await send({
      ...hello,
      html: '<img src="cid:logo@a"><img src=cid:none><a href="cid:page">cid:logo@a</a>',
      attachments: [image('logo@a', 'a.png'), image('page', 'b.html')],
    });
    const shown = `data:image/png;base64,${Buffer.from('a.png').toString('base64')}`;
    const { email, page } = await newest();
    expect(await page('/html')).toContain(
      `<img src="${shown}"><img src=cid:none><a href="cid:page">${shown}</a>`,
    );
    expect(email?.html).toContain('<img src="cid:logo@a">');
  });

  test('goes to the recipients in the envelope, and to nobody else', async () => {
    const { send, newest, advance, ok } = await startReceiver();
    const envelope = {
      from: 'bounces@example.com',
      to: ['ana@example.org', 'bounced@example.org', 'hidden@example.org'],
    };
    const to = 'ana@example.org, not-in-envelope@example.org';
    await send({ ...hello, to, cc: 'Bounced <BOUNCED@example.org>', envelope });
    const { email } = await newest();
    expect(email).toMatchObject({
      from: 'Shop <shop@example.com>',
      to: ['ana@example.org'],
      cc: ['Bounced <BOUNCED@example.org>'],
      bcc: ['hidden@example.org'],
    });
    advance(10_000);
    const { emailEvents } = await ok('email.get', { params: { emailId: email?.id ?? '' } });
    expect(emailEvents.map(({ status }) => status).toSorted()).toEqual([
      ...['BOUNCED', 'DELIVERED', 'DELIVERED', 'SENT', 'SENT', 'SENT'],
    ]);
  });

  test('to hidden recipients only is to them', async () => {
    const { send, newest } = await startReceiver();
    await send({ ...hello, to: undefined, bcc: ['a@example.org', 'b@example.org'] });
    expect((await newest()).email).toMatchObject({
      to: ['a@example.org', 'b@example.org'],
      bcc: [],
    });
  });

  test.each([
    ['of a domain that is not one of the account', 'app@localhost', null],
    ['of a domain that is not verified', 'a@example.net', 3],
  ])('%s is accepted', async (_, from, domainId) => {
    const { send, newest } = await startReceiver();
    await send({ ...hello, from });
    expect((await newest()).email).toMatchObject({ from, domainId, latestStatus: 'QUEUED' });
  });

  test("that is not in a message's format is text", async () => {
    const { send, newest } = await startReceiver();
    const envelope = { from: 'a@example.com', to: 'b@example.org' };
    await send({ envelope, raw: 'Just text\0\r\n\r\nwith a line after it' });
    expect((await newest()).email).toMatchObject({
      from: 'a@example.com',
      to: ['b@example.org'],
      subject: '',
      text: 'with a line after it',
    });
  });

  test.each([
    ['a quoted local part with a space', '"a b"@x.example'],
    ['one with an @ and a >', '"a@b>"@x.example'],
    ['one with quotation marks', '"a \\"b\\""@x.example'],
    ['a host with an underscore', 'ana@my_host.example'],
    ['a host without a dot', 'ana@mail_catcher'],
  ])('from and to an address with %s is accepted, exported and seeded again', async (_, odd) => {
    const { port, newest, directory } = await startReceiver();
    const line = await openLine(port);
    line.socket.write(
      `EHLO a\r\nMAIL FROM:<${odd}> SIZE=9\r\nRCPT TO:<${odd}> NOTIFY=NEVER\r\nDATA\r\n`,
    );
    await line.hears(/^354 /m);
    line.socket.write(`To: Ana <${odd}>\r\nSubject: Odd\r\n\r\nHi\r\n.\r\n`);
    await line.hears(/queued as/);
    // The parser loses the name if there is a `>` in quotes.
    const to = odd.includes('>') ? odd : `Ana <${odd}>`;
    const sent = { subject: 'Odd', from: odd, to: [to] };
    expect((await newest()).email).toMatchObject({ ...sent, bcc: [] });
    const exported = [...exportSandbox({ directory, now: () => start })].join('');
    const seeds = seedFile.parse(JSON.parse(exported));
    expect(seeds.messages?.at(-1)).toMatchObject(sent);
  });

  test('to a quoted address that the header has without angle brackets is to that one', async () => {
    const { port, newest } = await startReceiver();
    const line = await openLine(port);
    line.socket.write(
      'EHLO a\r\nMAIL FROM:<>\r\nRCPT TO:<"A b"@x.example>\r\nRCPT TO:<c@x.example>\r\nDATA\r\n',
    );
    await line.hears(/^354 /m);
    line.socket.write('To: "A b"@x.example\r\n\r\nHi\r\n.\r\n');
    await line.hears(/queued as/);
    expect((await newest()).email).toMatchObject({ to: ['"A b"@x.example'], bcc: ['c@x.example'] });
  });

  test('with a line break in a decoded header stays one line', async () => {
    const { send, newest } = await startReceiver();
    const envelope = { from: 'a@example.com', to: 'b@example.org' };
    const raw = 'Subject: =?utf-8?q?A=0D=0ABcc:_c@example.org?=\r\nX-A: 1\r\nx-a: 2\r\n\r\nHi\r\n';
    await send({ envelope, raw });
    expect((await newest()).email).toMatchObject({ subject: 'A Bcc: c@example.org', text: 'Hi' });
  });

  test.each([
    ['parts within parts', nested(200)],
    ['lines', `Subject: Hi\r\n${'\r\n'.repeat(600_000)}`],
    ['headers', `X-A: ${'x'.repeat(900)}\r\n`.repeat(700)],
  ])('with too many %s is rejected permanently', async (_, raw) => {
    const { send, subjects } = await startReceiver();
    const envelope = { from: 'a@example.com', to: 'b@example.org' };
    await expect(send({ envelope, raw })).rejects.toMatchObject({ responseCode: 554 });
    expect(await subjects()).toEqual([]);
  });

  test('that is too large is rejected, whether announced or not', async () => {
    const { port, subjects } = await startReceiver();
    const line = await openLine(port);
    line.socket.write('EHLO a\r\nMAIL FROM:<a@b.example> SIZE=99999999\r\n');
    await line.hears(/^552 /m);
    line.socket.write('MAIL FROM:<a@b.example>\r\nRCPT TO:<c@d.example>\r\nDATA\r\n');
    await line.hears(/^354 /m);
    const piece = `${'x'.repeat(998)}\r\n`.repeat(1024);
    for (let size = 0; size <= maxMessageBytes; size += piece.length) line.socket.write(piece);
    line.socket.write('\r\n.\r\n');
    await line.hears(/^552 [\s\S]*^552 /m);
    expect(await subjects()).toEqual([]);
  });

  test('of too many lines is rejected, each with a dot', async () => {
    const { port, subjects } = await startReceiver();
    const line = await openLine(port);
    line.socket.write('EHLO a\r\nMAIL FROM:<a@b.example>\r\nRCPT TO:<c@d.example>\r\nDATA\r\n');
    await line.hears(/^354 /m);
    line.socket.write(`${'..\r\n'.repeat(500_001)}.\r\nQUIT\r\n`);
    await line.closed;
    expect(line.heard()).toMatch(/^554 .* 500000 lines\r\n221 /m);
    expect(await subjects()).toEqual([]);
  });
});

test('large messages at once arrive whole, and one that comes slowly keeps no other waiting', async () => {
  const { port, send, subjects } = await startReceiver();
  const envelope = { from: 'a@example.com', to: 'b@example.org' };
  const body = 'A line of a large text.\r\n'.repeat(20_000);
  const slow = await openLine(port);
  slow.socket.write('EHLO a\r\nMAIL FROM:<a@b.example>\r\nRCPT TO:<c@d.example>\r\nDATA\r\n');
  await slow.hears(/^354 /m);
  slow.socket.write(`Subject: Slow\r\n\r\n${body}`);
  const names = Array.from({ length: 8 }, (_, index) => `Large ${index}`);
  await Promise.all(
    names.map((name) => send({ envelope, raw: `Subject: ${name}\r\n\r\n${body}${name}\r\n` })),
  );
  expect((await subjects()).toSorted()).toEqual(names);
  slow.socket.write('.\r\n');
  await slow.hears(/^250 .*queued/m);
  expect(await subjects()).toContain('Slow');
});

test('a large message is read in another thread, so that other work goes on meanwhile', async () => {
  const source = Buffer.from(
    `Subject: Large\r\n\r\n${'A line of a large text.\r\n'.repeat(40_000)}`,
  );
  let threads = 0;
  const started = () => void threads++;
  process.on('worker', started);
  onTestFinished(() => void process.off('worker', started));
  const read = await parseMessage({ sender: 'a@b.example', recipients: ['c@d.example'], source });
  expect(read).toMatchObject({
    subject: 'Large',
    text: expect.stringMatching(/^A line .* text\.$/s),
  });
  expect(threads).toBe(1);
});

/** A message with multiparts inside multiparts. */
function nested(levels: number): string {
  const parts = Array.from({ length: levels }, (_, level) => {
    const open = level === 0 ? '' : `--b${level - 1}\r\n`;
    return `${open}Content-Type: multipart/mixed; boundary=b${level}\r\n\r\n`;
  });
  return `${parts.join('')}--b${levels - 1}\r\n\r\nHi\r\n`;
}

describe('a client', () => {
  test.each([
    ['any login', { auth: { user: 'anybody', pass: 'anything' } }],
    ['no login', {}],
    ['a login by CRAM-MD5', { auth: { user: 'a', pass: 'b' }, authMethod: 'CRAM-MD5' }],
    ['STARTTLS', { requireTLS: true }],
    ['no encryption', { ignoreTLS: true, auth: { user: 'a', pass: 'b' } }],
  ])('with %s can send', async (_, options) => {
    const { send, subjects } = await startReceiver();
    await send(hello, options);
    expect(await subjects()).toEqual(['Hi']);
  });

  test('selects a test account with its key as user name or password', async () => {
    const keys: string[] = [];
    const { send } = await startReceiver(async (_email, key) => {
      keys.push(key);
      return 'id';
    });
    const key = 'us_sandbox_test_one';
    const loggedIn = (user: string, pass: string, authMethod = 'PLAIN') =>
      send(hello, { ignoreTLS: true, auth: { user, pass }, authMethod });
    await loggedIn(key, 'any');
    await loggedIn(key, 'any', 'CRAM-MD5');
    await loggedIn('usesend', key, 'LOGIN');
    await loggedIn('one', 'us_sandbox_local');
    expect(keys).toEqual([key, key, key, 'us_sandbox_local']);
    for (const wrong of ['us_sandbox_test_', 'us_sandbox_test_a.b']) {
      await expect(loggedIn('usesend', wrong)).rejects.toThrow('535 5.7.8 Invalid API token');
    }
    expect(keys).toHaveLength(4);
  });

  test('can verify the certificate', async () => {
    const { port } = await startReceiver();
    const line = await openLine(port);
    line.socket.write('EHLO a\r\nSTARTTLS\r\n');
    await line.hears(/^220 /m);
    line.socket.removeAllListeners('data');
    const { socket } = line;
    const secure = connectTls({ socket, ca: tls.cert, servername: 'localhost' });
    await new Promise((resolve, reject) =>
      secure.once('secureConnect', resolve).on('error', reject),
    );
    expect(secure.authorized).toBe(true);
    secure.destroy();
  });

  test('that sends all commands at once is understood', async () => {
    const { port, subjects } = await startReceiver();
    const line = await openLine(port);
    const message = 'Subject: Piped\r\n\r\nHi\r\n.\r\n';
    line.socket.write(
      `EHLO a\r\nMAIL FROM:<a@b.example>\r\nRCPT TO:<c@d.example>\r\nDATA\r\n${message}QUIT\r\n`,
    );
    await line.closed;
    expect(line.heard()).toMatch(/^250 OK: queued as c\w+\r\n221 /m);
    expect(await subjects()).toEqual(['Piped']);
  });

  test('that sends several messages without waiting for a response is understood to the end', async () => {
    const { port, subjects } = await startReceiver();
    const { socket, closed, heard } = await openLine(port);
    const message = (subject: string) =>
      `MAIL FROM:<shop@example.com>\r\nRCPT TO:<ana@example.org>\r\nDATA\r\nSubject: ${subject}\r\n\r\nHello\r\n.\r\n`;
    socket.write(`EHLO me\r\n${message('One')}${message('Two')}${message('Three')}QUIT\r\n`);
    await closed;
    expect(heard().match(/^250 OK: queued/gm)).toHaveLength(3);
    expect(heard()).toMatch(/\r\n221 .*\r\n$/);
    expect((await subjects()).sort()).toEqual(['One', 'Three', 'Two']);
  });

  test.each(['\n.\n', '\n.\r\n', '\r\n.\n', '\r.\r', '\r\n.\r', '\r.\r\n', '\r.\n'])(
    'cannot end a message with %j, so that no second one is hidden in it',
    async (end) => {
      const { port, subjects } = await startReceiver();
      const { socket, closed } = await openLine(port);
      const message = (subject: string) =>
        `MAIL FROM:<a@b.example>\r\nRCPT TO:<c@d.example>\r\nDATA\r\nSubject: ${subject}\r\n\r\nHi`;
      socket.write(`EHLO a\r\n${message('Outer')}${end}${message('Hidden')}\r\n.\r\nQUIT\r\n`);
      await closed;
      expect(await subjects()).toEqual(['Outer']);
    },
  );

  test('cannot have commands before encryption carried out after it', async () => {
    const { port } = await startReceiver();
    const line = await openLine(port);
    const { socket } = line;
    socket.write('EHLO a\r\nSTARTTLS\r\nEHLO b\r\nMAIL FROM:<evil@b.example>\r\n');
    await line.hears(/^220 /m);
    expect(line.heard()).not.toContain('Accepted');
    socket.removeAllListeners('data');
    const secure = connectTls({ socket, ca: tls.cert, servername: 'localhost' });
    let heard = '';
    secure.on('data', (chunk: Buffer) => {
      heard += chunk.toString();
    });
    secure.write('EHLO a\r\nRCPT TO:<c@d.example>\r\nQUIT\r\n');
    await new Promise((resolve, reject) => secure.once('close', resolve).on('error', reject));
    expect(heard).toMatch(/^503 .*MAIL/m);
  });

  test('is told that an address in Latin-1 is none', async () => {
    const { port, subjects } = await startReceiver();
    const line = await openLine(port);
    const commands =
      'EHLO a\r\nMAIL FROM:<\xe4@b.example>\r\nMAIL FROM:<>\r\nRCPT TO:<\xe4@b.example>\r\n';
    line.socket.write(Buffer.from(`${commands}DATA\r\nQUIT\r\n`, 'latin1'));
    await line.closed;
    expect(line.heard().match(/^553 .* not UTF-8/gm)).toHaveLength(2);
    expect(await subjects()).toEqual([]);
  });

  test('that gives its name with HELO, or none, is told what to do', async () => {
    const { port, subjects } = await startReceiver();
    const line = await openLine(port);
    line.socket.write('MAIL FROM:<a@b.example>\r\n');
    await line.hears(/^503 /m);
    line.socket.write('HELO a\r\nDATA\r\nMAIL FROM:<>\r\nRCPT TO:<c@d.example>\r\nDATA\r\n');
    await line.hears(/^354 /m);
    line.socket.write('Subject: Bounce\r\n\r\nHi\r\n.\r\n');
    await line.hears(/queued as/);
    expect(await subjects()).toEqual(['Bounce']);
  });

  test('with a line that never ends is disconnected', async () => {
    const { port } = await startReceiver();
    const line = await openLine(port);
    line.socket.write('EHLO '.padEnd(100_000, 'x'));
    await line.closed;
  });

  test.each(['a@b..example', `${'a'.repeat(65)}@b.example`, 'a b@c.example'])(
    'is told that %s cannot be an address',
    async (address) => {
      const { port, subjects } = await startReceiver();
      const line = await openLine(port);
      line.socket.write(`EHLO a\r\nMAIL FROM:<a@b.example>\r\nRCPT TO:<${address}>\r\nDATA\r\n`);
      await line.hears(/^5[05]\d .*\r\n(5\d\d .*\r\n)*503 /m);
      expect(await subjects()).toEqual([]);
    },
  );

  test('that is a browser on a hostile page sends nothing', async () => {
    const { port, subjects } = await startReceiver();
    const body = [
      'EHLO a',
      'MAIL FROM:<a@b.example>',
      'RCPT TO:<c@d.example>',
      'DATA',
      'Subject: Smuggled',
      '',
      'Hi',
      '.',
      'QUIT',
      '',
    ].join('\r\n');
    await expect(fetch(`http://127.0.0.1:${port}`, { method: 'POST', body })).rejects.toThrow();
    const line = await openLine(port);
    line.socket.write(`POST / HTTP/1.1\r\nHost: localhost\r\n\r\n${body}`);
    await line.closed;
    expect(await subjects()).toEqual([]);
  });

  test('that disconnects in the middle of a message leaves nothing behind', async () => {
    const { port, send, subjects } = await startReceiver();
    const line = await openLine(port);
    line.socket.write('EHLO a\r\nMAIL FROM:<a@b.example>\r\nRCPT TO:<c@d.example>\r\nDATA\r\n');
    await line.hears(/^354 /m);
    line.socket.write('Subject: Half\r\n\r\nHi\r\n.');
    line.socket.destroy();
    await line.closed;
    await send(hello);
    expect(await subjects()).toEqual(['Hi']);
  });

  test('sends one message after the other, and many send at once', async () => {
    const { port, subjects } = await startReceiver();
    const pool = nodemailer.createTransport({
      host: '127.0.0.1',
      port,
      pool: true,
      maxConnections: 20,
      ignoreTLS: true,
    });
    const mails = Array.from({ length: 40 }, (_, index) => ({ ...hello, subject: `${index}` }));
    await Promise.all(mails.map((mail) => pool.sendMail(mail)));
    pool.close();
    expect(new Set(await subjects())).toEqual(new Set(mails.map(({ subject }) => subject)));
  });

  test('may name hundreds of recipients', async () => {
    const { send, newest } = await startReceiver();
    const to = Array.from({ length: 500 }, (_, index) => `a${index}@example.org`);
    await send({ ...hello, bcc: to });
    const { email } = await newest();
    expect(email).toMatchObject({ to: ['ana@example.org'], bcc: to });
  });
});

test('a message that cannot be stored may be sent again', async () => {
  let full = true;
  const { send } = await startReceiver(async () => {
    if (!full) return 'c1';
    throw new Error('the disk\r\nis full');
  });
  await expect(send(hello)).rejects.toMatchObject({
    responseCode: 451,
    response: expect.stringContaining('the disk is full'),
  });
  full = false;
  expect((await send(hello)).response).toContain('queued as c1');
});

test('closing waits for a message that is being stored, but not for open connections', async () => {
  const storing = Promise.withResolvers<void>();
  const mayStore = Promise.withResolvers<void>();
  const stored: string[] = [];
  const { send, close, port } = await startReceiver(async ({ subject }) => {
    storing.resolve();
    await mayStore.promise;
    stored.push(subject);
    return 'c1';
  });
  const idle = await openLine(port);
  const sending = send(hello).catch(() => {});
  await storing.promise;
  const closing = close();
  mayStore.resolve();
  await Promise.all([closing, idle.closed, sending]);
  expect(stored).toEqual(['Hi']);
});

test('the dates of an email are those of the clock of the sandbox', async () => {
  const { send, newest, advance } = await startReceiver();
  advance(3_600_000);
  await send(hello);
  expect((await newest()).email?.createdAt).toBe(new Date(start + 3_600_000).toISOString());
});

test('a port in use is an error', async () => {
  const { port, sandbox } = await startReceiver();
  const store = async (email: ReceivedEmail) => sandbox.receive(email);
  const second = receiveMail({ host: '127.0.0.1', port, tls, store });
  await expect(second).rejects.toMatchObject({ code: 'EADDRINUSE' });
});

describe('a fault of SMTP', () => {
  async function withFault(fault: string, key = 'us_sandbox_local') {
    const started = await startReceiver();
    const reply = await started.sandbox.fetch(
      new Request('http://sandbox.test/control/faults', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${key}` },
        body: JSON.stringify({ fault }),
      }),
    );
    return { ...started, reply };
  }

  test.each([
    ['SMTP CONNECT 421 x1', /^Invalid greeting.*421 4\.0\.0/],
    ['SMTP AUTH 454 x1', /^Invalid login: 454 4\.0\.0/],
    ['SMTP MAIL 452 x1', /^Mail command failed: 452 4\.0\.0/],
    ['smtp rcpt 550 x1', /550 5\.0\.0 The fault SMTP RCPT 550 x1/],
    ['SMTP DATA 554 x1', /^Message failed: 554 5\.0\.0/],
    ['SMTP DATA drop x1', /closed|reset|disconnect|hang up/i],
    ['SMTP * drop x1', /closed|reset|disconnect|hang up/i],
  ])('%s is the reply, as often as it says, and nothing is stored', async (fault, message) => {
    const { send, subjects } = await withFault(fault);
    const login = { auth: { user: 'any', pass: 'any' } };
    await expect(send(hello, login)).rejects.toThrow(message);
    expect(await subjects()).toEqual([]);
    await send(hello, login);
    expect(await subjects()).toEqual(['Hi']);
  });

  test('DATA drop-reply stores the message, so that a client that repeats it sends it twice', async () => {
    const { send, subjects } = await withFault('SMTP DATA drop-reply x1');
    await expect(send(hello)).rejects.toThrow();
    await send(hello);
    expect(await subjects()).toEqual(['Hi', 'Hi']);
  });

  test('delay waits, then goes on', async () => {
    const { send, subjects } = await withFault('SMTP RCPT delay 30ms');
    await send(hello);
    expect(await subjects()).toEqual(['Hi']);
  });

  test('concerns the account whose key it came with, and * * does not concern SMTP', async () => {
    const key = 'us_sandbox_test_one';
    const { send } = await withFault('SMTP MAIL 451', key);
    const login = (user: string) => ({ auth: { user, pass: 'any' } });
    await expect(send(hello, login(key))).rejects.toThrow('451');
    await send(hello, login('other'));
    await (await withFault('* * 503')).send(hello);
  });

  test.each([
    ['SMTP EHLO 451', 'is not a command of SMTP: use CONNECT, AUTH, MAIL, RCPT, DATA or *'],
    ['SMTP DATA short 2', 'for SMTP, the effect is a reply code such as 451'],
    ['SMTP DATA 503:html', 'for SMTP, the effect is a reply code such as 451'],
    ['SMTP DATA 250', 'is not a status from 400 to 599'],
  ])('%s is rejected', async (fault, message) => {
    const { reply } = await withFault(fault);
    expect(reply.status).toBe(400);
    expect(await reply.text()).toContain(message);
  });
});

test('without a certificate, STARTTLS is not offered, and the usual clients send', async () => {
  const received: string[] = [];
  const store = async ({ subject }: ReceivedEmail) => String(received.push(subject));
  const receiver = await receiveMail({ host: '127.0.0.1', port: 0, tls: undefined, store });
  onTestFinished(() => receiver.close());
  const line = await openLine(receiver.port);
  line.socket.write('EHLO a\r\nSTARTTLS\r\n');
  await line.hears(/^50\d /m);
  expect(line.heard()).toContain('250');
  expect(line.heard()).not.toContain('STARTTLS\r\n');
  line.socket.destroy();
  // With nothing but host and port, and with a login.
  for (const more of [{}, { auth: { user: 'a', pass: 'b' } }]) {
    const transport = nodemailer.createTransport({
      ...{ host: '127.0.0.1', port: receiver.port, ...more },
    });
    await transport.sendMail(hello);
  }
  expect(received).toEqual(['Hi', 'Hi']);
});
