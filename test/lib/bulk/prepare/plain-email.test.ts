import { expect, test } from 'vitest';
import type { ReadableRow } from '../../../../src/lib/bulk/input/row.ts';
import {
  type Common,
  emailOfRow,
  recipientKey,
} from '../../../../src/lib/bulk/prepare/email-of-row.ts';
import { createPlainEmails } from '../../../../src/lib/bulk/prepare/plain-email.ts';
import { compileTemplates } from '../../../../src/lib/bulk/prepare/template.ts';
import { UsageError } from '../../../../src/lib/errors.ts';

const common = commonOf({ from: 'news@example.com', replyTo: 'Ana <ana@example.com>' });
const simple = rowOf({ to: 'kim@example.com' }, { name: 'Kim' });

function commonOf(
  fields: Common['fields'],
  subject = '{{ subject_of | default: "News" }}',
): Common {
  const html = '<p>{{ name }}\n{% if nul %}\0{% endif %}{{ body }}</p>';
  return {
    fields,
    variables: undefined,
    templates: compileTemplates({
      subject: { flag: '--subject', source: subject },
      html: { flag: '--html-file', source: html.replace('{{ body }}', '{{ body | raw }}') },
      text: { flag: '--text', source: '{{ name }}{{ text_of | default: "" }}' },
    }),
    scheduledTime: (text) => Promise.resolve(text),
  };
}

function rowOf(fields: Record<string, unknown>, values: Record<string, unknown>): ReadableRow {
  const scope = Object.assign(Object.create(null), { body: 'x', ...values, ...fields });
  return { number: 1, fields, scope, variables: undefined };
}

/** One that has seen a simple email. */
async function experienced(of: Common) {
  const plain = createPlainEmails(of);
  plain.learn(simple, await emailOfRow(simple, of));
  return plain;
}

async function jsonInFull(row: ReadableRow, of: Common): Promise<string | undefined> {
  try {
    return (await emailOfRow(row, of)).json;
  } catch (error) {
    if (error instanceof UsageError) return undefined;
    throw error;
  }
}

const texts = [
  '',
  'a',
  'Zoë',
  'ń & <b>',
  'a\nb',
  'a"b\\',
  '\0',
  '\ud83d',
  '\u{1f600}',
  '\u2028',
  5,
];

test('what is made in short is what is made in full, and nothing that is refused there', async () => {
  const plain = await experienced(common);
  for (const name of texts) {
    for (const other of texts) {
      const values = [{ name }, { subject_of: other }, { body: other }, { text_of: other }];
      for (const value of values) {
        const row = rowOf({ to: 'zoe@example.com' }, { name, ...value });
        const short = plain.of(row);
        if (short === undefined) continue;
        expect(short).toMatchObject({ to: 'zoe@example.com', json: await jsonInFull(row, common) });
      }
    }
  }
});

test.for([
  ['a name', { name: 'Zoë' }],
  ['HTML', { name: 'ń & <b>', body: '<i>"x"</i>\n' }],
  ['a subject of its own', { name: 'Ana', subject_of: 'For you' }],
  ['a character of two units', { name: '\u{1f600}' }],
] as const)('%s is made in short', async ([, values]) => {
  const row = rowOf({ to: 'Zoe@Example.com', variables: { a: 1 } }, values);
  const { email, json } = await emailOfRow(row, common);
  const made = { to: 'Zoe@Example.com', key: recipientKey(email), json };
  expect((await experienced(common)).of(row)).toEqual(made);
});

test.for([
  ['another field', { to: 'zoe@example.com', cc: 'ana@example.com' }, {}],
  ['a subject in the row', { to: 'zoe@example.com', subject: 'Hi' }, {}],
  ['several addresses', { to: 'zoe@example.com,ana@example.com' }, {}],
  ['a list', { to: ['zoe@example.com'] }, {}],
  ['a display name', { to: 'Zoë <zoe@example.com>' }, {}],
  ['blanks', { to: ' zoe@example.com' }, {}],
  ['no address', { to: 'zoe' }, {}],
  ['nobody', {}, {}],
  ['a subject of two lines', { to: 'zoe@example.com' }, { subject_of: 'a\r\nBcc: b' }],
  ['a NUL in a value', { to: 'zoe@example.com' }, { body: 'a\0' }],
  ['a NUL in a part of the template', { to: 'zoe@example.com' }, { nul: 'yes' }],
  ['a missing value', { to: 'zoe@example.com' }, { name: undefined }],
  ['an empty text', { to: 'zoe@example.com' }, { name: '' }],
] as const)('%s is made in full', async ([, fields, values]) => {
  const row = rowOf(fields, { name: 'Kim', ...values });
  expect((await experienced(common)).of(row)).toBeUndefined();
});

test.for([
  ['a time', { from: 'news@example.com', scheduledAt: '2026-12-01T09:00:00Z' }],
  ['a stored template', { from: 'news@example.com', templateId: 'tpl_1' }],
] as const)('where all have %s, each is made in full', async ([, fields]) => {
  expect((await experienced(commonOf(fields))).of(simple)).toBeUndefined();
});

test('nothing is made in short before one has been made in full', () => {
  expect(createPlainEmails(common).of(simple)).toBeUndefined();
});

test('an email that brings more says nothing about others', async () => {
  const plain = createPlainEmails(common);
  const row = rowOf({ to: 'kim@example.com', cc: 'ana@example.com' }, { name: 'Kim' });
  plain.learn(row, await emailOfRow(row, common));
  expect(plain.of(simple)).toBeUndefined();
});
