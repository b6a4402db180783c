import fc from 'fast-check';
import PostalMime from 'postal-mime';
import { expect, test } from 'vitest';
import { attachmentBytes, readMime } from '../../../src/shared/mime/read-mime.ts';

/** Lines and parts of lines that a body may have: line breaks of all kinds, boundaries, encodings. */
const pieces = fc.constantFrom(
  ...[
    'a',
    'QUJD',
    '=',
    '\r',
    '\n',
    '\r\n',
    '\r\r\n',
    '\r\n\r\n',
    ' ',
    '\t',
    'ä',
    '=C3=A4',
    '=\r\n',
  ],
  ...['--', '- item', '--b', '--b--', '--c-', '--c---', 'From: a@b.example\r\n\r\n'],
);
const types = fc.constantFrom(
  ...['text/plain; charset=utf-8', 'text/html', 'message/rfc822'],
  ...['text/plain; format=flowed; delsp=yes', 'application/octet-stream; name=a.bin'],
  ...['multipart/mixed; boundary=b', 'multipart/alternative; boundary="c-"', 'text/calendar'],
);
const encodings = fc.constantFrom('7bit', '8bit', 'base64', 'quoted-printable', 'x-odd');
const headers = fc
  .tuple(types, encodings)
  .map(
    ([type, encoding]) => `Content-Type: ${type}\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n`,
  );
const part = headers.map((text) => `\r\n--b\r\n${text}`);
const messages = fc
  .tuple(
    fc.oneof(headers, fc.constant('Content-Type: multipart/mixed; boundary=b\r\n\r\n')),
    fc.array(fc.oneof({ weight: 8, arbitrary: pieces }, part), { maxLength: 40 }),
  )
  .map(([start, body]) => Buffer.from(`Subject: s\r\n${start}${body.join('')}`));

test('bodies that are read in blocks are the same as those read by lines', async () => {
  await fc.assert(
    fc.asyncProperty(messages, async (message) => {
      const byLine = await PostalMime.parse(message);
      const { assumed, problems, versions, locations, ambiguous, ...email } =
        await readMime(message);
      // What the parser would damage.
      const isDamaged = problems.length + assumed.length > 0;
      const { text, html, attachments } = isDamaged ? email : byLine;
      const expected = { ...byLine, ...(text && { text }), ...(html && { html }), attachments };
      expect(email).toEqual(expected);
    }),
    { numRuns: 3000, seed: 1 },
  );
});

test.each(['\r\n', '\n'])('so are lines beyond the end of a block, with %j', async (lineBreak) => {
  const lines = [
    'x'.repeat(200_000),
    ...Array.from({ length: 5000 }, (_, index) => `line ${index}`),
  ];
  const body = [...lines, '', '-- ', 'Ana', ''].join(lineBreak);
  const message = Buffer.from(`Content-Type: text/plain${lineBreak}${lineBreak}${body}`);
  const { text } = await readMime(message);
  expect(text).toBe(body.replaceAll('\r\n', '\n'));
});

test('white space of a megabyte does not take minutes', async () => {
  const message = Buffer.from(`Subject: s\n\n${'\r'.repeat(1_000_000)}x\r\n`);
  expect((await readMime(message)).text).toHaveLength(1_000_002);
});

test('an attachment has its bytes, whatever the form in which the parser has them', async () => {
  const contents = [Buffer.from([0, 1, 255]), Buffer.from('BEGIN:VCALENDAR\n')];
  const parts = ['application/octet-stream', 'text/calendar'].map((type, index) =>
    [
      ...['--b', `Content-Type: ${type}`, 'Content-Transfer-Encoding: base64', ''],
      contents[index]?.toString('base64'),
    ].join('\r\n'),
  );
  const message = ['Content-Type: multipart/mixed; boundary=b', '', ...parts, '--b--', ''];
  const { attachments } = await readMime(Buffer.from(message.join('\r\n')));
  expect(attachments.map(attachmentBytes)).toEqual(contents);
  expect(attachmentBytes({ content: 'ä' })).toEqual(Buffer.from('ä'));
});
