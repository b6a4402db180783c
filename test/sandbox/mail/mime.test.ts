import PostalMime, { decodeWords, type Email } from 'postal-mime';
import { describe, expect, onTestFinished, test } from 'vitest';
import { composeMime } from '../../../src/sandbox/mail/mime.ts';
import { openDatabase } from '../../../src/sandbox/store/sqlite.ts';
import { createStore } from '../../../src/sandbox/store/store.ts';
import { campaign, email, hour, second, startSandbox } from '../harness.ts';

/** A sandbox that composes the messages of its emails. */
function composing() {
  const sandbox = startSandbox();
  const store = createStore(openDatabase(sandbox.sandbox.path));
  onTestFinished(() => store.close());

  /** The message of a stored email: its bytes, one character each, and as a mail program parses it. */
  async function message(emailId: string) {
    const bytes = await composeMime(store, emailId);
    if (bytes === undefined) throw new Error(`no email ${emailId}`);
    const source = bytes.toString('latin1');
    return { source, bytes, parsed: await PostalMime.parse(bytes) };
  }

  async function sent(fields: Record<string, unknown>) {
    const { emailId } = await sandbox.ok('email.send', { body: email(fields) });
    return { emailId, ...(await message(emailId)) };
  }

  return { ...sandbox, store, message, sent };
}

/** A message's header fields, unfolded, one per line. */
function headerLines(source: string): string[] {
  return (source.split('\r\n\r\n', 1)[0] ?? '').replace(/\r\n[ \t]/g, ' ').split('\r\n');
}

function headerNames(source: string): string[] {
  return headerLines(source).map((line) => line.slice(0, line.indexOf(':')));
}

function headerOf(parsed: Email, name: string): string {
  return decodeWords(parsed.headers.find(({ key }) => key === name)?.value ?? '');
}

/** A body as it was sent: the parser keeps the CRLF of base64, and adds a missing last line break. */
function linesOf(body: string | undefined): string | undefined {
  return body?.replaceAll('\r\n', '\n').replace(/\n$/, '');
}

/** What every server accepts: CRLF only, short lines, seven bits. */
function expectTransportable(source: string) {
  expect(source.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
  expect(Math.max(...source.split('\r\n').map((line) => line.length))).toBeLessThanOrEqual(998);
  expect(source).toMatch(/^[\t\r\n\x20-\x7e]*$/);
}

describe('a message', () => {
  test('has the fields of its email', async () => {
    const { sent } = composing();
    const { emailId, parsed, source } = await sent({
      to: ['"Ana, B \\"x\\"" <Ana@Example.org>', 'José <jose@example.org>', 'plain@example.org'],
      cc: 'Copy <copy@example.org>',
      bcc: 'secret@example.org',
      replyTo: ['one@example.com', 'Zwei <two@example.com>'],
      subject: 'Grüße aus Köln: 你好 🎉',
      text: 'Plain ünïcode\n.\nEnd',
      html: '<p>Ünïcode</p>',
    });
    expect(parsed).toMatchObject({
      from: { name: 'Shop', address: 'shop@example.com' },
      to: [
        { name: 'Ana, B "x"', address: 'Ana@example.org' },
        { name: 'José', address: 'jose@example.org' },
        { name: '', address: 'plain@example.org' },
      ],
      cc: [{ name: 'Copy', address: 'copy@example.org' }],
      replyTo: [
        { name: '', address: 'one@example.com' },
        { name: 'Zwei', address: 'two@example.com' },
      ],
      subject: 'Grüße aus Köln: 你好 🎉',
      messageId: `<${emailId}@sandbox.example.com>`,
      date: '2026-01-31T12:00:00.000Z',
      text: 'Plain ünïcode\n.\nEnd\n',
      html: '<p>Ünïcode</p>\n',
    });
    expect(source).not.toMatch(/^bcc:|secret/im);
    expect(source).toContain('multipart/alternative');
    expectTransportable(source);
  });

  test('is the same each time', async () => {
    const { sent, message } = composing();
    const attachments = [{ filename: 'a.txt', content: 'eA==' }];
    const { emailId, source } = await sent({ html: '<b>Hi</b>', attachments });
    expect((await message(emailId)).source).toBe(source);
  });

  test('that was scheduled has the scheduled time as its date', async () => {
    const { sent } = composing();
    const { parsed } = await sent({ scheduledAt: '2026-02-01T09:00:00+01:00' });
    expect(parsed.date).toBe('2026-02-01T08:00:00.000Z');
  });

  test('of html alone has no text part', async () => {
    const { sent } = composing();
    const { parsed, source } = await sent({ text: undefined, html: '<p>Hi</p>' });
    expect(parsed).toMatchObject({ html: '<p>Hi</p>\n' });
    expect(source).toMatch(/^Content-Type: text\/html; charset=utf-8\r$/m);
    expect(source).not.toContain('multipart');
  });

  test('of an unknown email is undefined', async () => {
    const { store } = composing();
    expect(await composeMime(store, 'email_nowhere')).toBeUndefined();
  });

  test('has non-ASCII domains in ASCII, and leaves a local part that is not to SMTPUTF8', async () => {
    const { sent } = composing();
    const ascii = await sent({ to: 'Käthe <a@bücher.example>' });
    expectTransportable(ascii.source);
    expect(ascii.source).toContain('<a@xn--bcher-kva.example>');
    const utf8 = await sent({ to: 'käthe@bücher.example' });
    expect(utf8.parsed.to).toEqual([{ name: '', address: 'käthe@bücher.example' }]);
  });
});

describe('attachments', () => {
  test('arrive unmodified, whatever their names', async () => {
    const { sent } = composing();
    const binary = Buffer.from(Array.from({ length: 1000 }, (_, index) => index % 256));
    const files = [
      { filename: 'a.bin', content: binary },
      { filename: '../../x', content: Buffer.from('up') },
      { filename: 'Rechnung für “Ana”.pdf', content: binary },
      { filename: 'quote".txt', content: Buffer.from('lone \r and \n') },
      { filename: `${'long'.repeat(60)}.png`, content: binary },
      // Without an encoding, their bytes would become part of the message's own text.
      { filename: 'mail.eml', content: Buffer.from(`Subject: x\n\n${'y'.repeat(2000)}\0\r.\n.\n`) },
      { filename: 'b.gzip', content: binary },
    ];
    const { parsed, source } = await sent({
      attachments: files.map(({ filename, content }) => ({
        filename,
        content: content.toString('base64'),
      })),
    });
    expectTransportable(source);
    expect(parsed.attachments.map(({ filename }) => filename)).toEqual(
      files.map(({ filename }) => filename),
    );
    const contents = parsed.attachments.map(({ content }) =>
      Buffer.from(content instanceof ArrayBuffer ? new Uint8Array(content) : content),
    );
    expect(contents).toEqual(files.map(({ content }) => content));
    expect(parsed.attachments[2]).toMatchObject({
      mimeType: 'application/pdf',
      disposition: 'attachment',
    });
    expect(parsed.text).toBe('Hi\n');
  });
});

describe('headers of the sender', () => {
  test('are as given, except those that the sender may not set', async () => {
    const { sent } = composing();
    const { source, parsed } = await sent({
      headers: {
        'X-my-ID': 'abc',
        'X-Text': 'Grüße',
        'List-Unsubscribe': '<https://example.com/u?x=1>, <mailto:u@example.com>',
        References: '<other@example.com>',
        from: 'Evil <evil@example.com>',
        To: 'evil@example.com',
        CC: 'evil@example.com',
        bcc: 'evil@example.com',
        'Reply-To': 'evil@example.com',
        SUBJECT: 'evil',
        Date: 'evil',
        'message-ID': '<evil@example.com>',
        'MIME-Version': 'evil',
        'Content-Type': 'text/evil',
        'content-transfer-encoding': 'evil',
        'DKIM-Signature': 'evil',
        'ARC-Seal': 'evil',
        'Return-Path': 'evil',
        Received: 'evil',
        'Resent-From': 'evil@example.com',
        'Authentication-Results': 'evil',
      },
    });
    expect(source).not.toContain('evil');
    expect(headerNames(source)).toEqual([
      'X-my-ID',
      'X-Text',
      'List-Unsubscribe',
      'References',
      'From',
      'To',
      'Subject',
      'Message-ID',
      'Date',
      'Content-Transfer-Encoding',
      'MIME-Version',
      'Content-Type',
    ]);
    expect(headerOf(parsed, 'x-text')).toBe('Grüße');
    expect(headerLines(source)).toContain('X-my-ID: abc');
    expect(headerLines(source)).toContain(
      'List-Unsubscribe: <https://example.com/u?x=1>, <mailto:u@example.com>',
    );
  });

  test.each([
    ['a word longer than a line', 'x'.repeat(3000)],
    ['blanks that folding would lose', `a${' '.repeat(300)}b`],
    ['blanks at its ends', '  a  '],
  ])('and subjects may hold %s', async (_, text) => {
    const { sent } = composing();
    const { source, parsed } = await sent({ subject: text, headers: { 'X-Text': text } });
    expectTransportable(source);
    expect(source).not.toMatch(/^[ \t]+\r$/m);
    expect(parsed.subject).toBe(text);
    expect(headerOf(parsed, 'x-text')).toBe(text);
  });

  test('cannot inject others, even past the API', async () => {
    const { sent, store, message } = composing();
    const { emailId } = await sent({ attachments: [{ filename: 'a', content: 'eA==' }] });
    const attack = 'x\r\nX-Evil: 1\r\n\r\nbody\0';
    store.run(
      `UPDATE emails SET sender = ?, recipients = ?, reply_to = ?, subject = ?, headers = ?
       WHERE id = ?`,
      `"${attack}" <shop@example.com>`,
      JSON.stringify([`"a${attack}"@example.com`, `a@example.com${attack}`]),
      JSON.stringify([`<a@example.com>${attack}`]),
      attack,
      JSON.stringify({ 'X-A': attack, [attack]: 'y', 'X-Evil: 2\r\nX-B': 'y', __proto__: null }),
      emailId,
    );
    store.run('UPDATE attachments SET filename = ?', attack);
    const { source } = await message(emailId);
    expectTransportable(source);
    expect(headerNames(source)).not.toContain('X-Evil');
    expect(source).not.toMatch(/^X-Evil/m);
  });
});

describe('bodies', () => {
  test.each([
    ['lone carriage returns', 'a\rb\r.\rc', 'a\nb\n.\nc'],
    ['the end of a message', 'a\r\n.\r\nQUIT\r\n', 'a\n.\nQUIT\n'],
    ['lines of any length', `${'x'.repeat(5000)}\n${'ü'.repeat(5000)}`, undefined],
    ['control characters', 'a\x01b\x1b[31mc\x7f', undefined],
    ['trailing blanks', 'a  \n\tb\t', undefined],
    ['what looks like a boundary', '----_NmP-Part_1\n--\n----_NmP-Part_1--\nFrom me', undefined],
  ])('with %s arrive', async (_, text, shown = text) => {
    const { sent } = composing();
    const { source, parsed } = await sent({ text, html: text });
    expectTransportable(source);
    expect(linesOf(parsed.text)).toBe(shown);
    expect(linesOf(parsed.html)).toBe(shown);
  });
});

describe('threads', () => {
  test('are in In-Reply-To and References', async () => {
    const { sent } = composing();
    const first = await sent({});
    expect(headerNames(first.source)).not.toContain('References');
    const second = await sent({ inReplyToId: first.emailId });
    const third = await sent({ inReplyToId: second.emailId });
    expect(second.parsed).toMatchObject({
      inReplyTo: first.parsed.messageId,
      references: first.parsed.messageId,
    });
    expect(third.parsed.inReplyTo).toBe(second.parsed.messageId);
    expect(third.parsed.references).toBe(`${first.parsed.messageId} ${second.parsed.messageId}`);
  });

  test('are none in a batch, which drops inReplyToId', async () => {
    const { ok, sent, message } = composing();
    const { emailId: inReplyToId } = await sent({});
    const { data } = await ok('email.batch', { body: [email({ inReplyToId })] });
    const { source } = await message(data[0]?.emailId ?? '');
    expect(headerNames(source)).toContain('Message-ID');
    expect(headerNames(source)).not.toContain('In-Reply-To');
    expect(headerNames(source)).not.toContain('References');
  });

  test('of any length name the first and the last ones', async () => {
    const { sent } = composing();
    const ids: string[] = [];
    for (let count = 0; count < 30; count++) {
      const inReplyToId = ids.at(-1);
      ids.push((await sent({ ...(inReplyToId === undefined ? {} : { inReplyToId }) })).emailId);
    }
    const { parsed, source } = await sent({ inReplyToId: ids.at(-1) });
    const named = parsed.references?.split(' ').map((id) => id.slice(1, id.indexOf('@')));
    expect(named).toEqual([ids[0], ...ids.slice(-19)]);
    expectTransportable(source);
  });

  test('that lead in a circle end', async () => {
    const { sent, store, message } = composing();
    const { emailId } = await sent({});
    store.run('UPDATE emails SET in_reply_to_id = id');
    const { parsed } = await message(emailId);
    expect(parsed.references).toBe(parsed.messageId);
  });
});

test('campaigns say how to unsubscribe with one click', async () => {
  const { ok, advance, message } = composing();
  await ok('campaign.create', { body: campaign({ sendNow: true }) });
  advance(hour);
  const { data } = await ok('email.list', { query: {} });
  const [latest] = data.filter(({ subject }) => subject?.startsWith('News for'));
  const id = latest?.id ?? '';
  advance(second);
  const { parsed, source } = await message(id);
  const link = `http://sandbox.test/unsubscribe/${id}`;
  expect(headerLines(source)).toContain(`List-Unsubscribe: <${link}>`);
  expect(headerLines(source)).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
  expect(parsed.html).toContain(link);
});
