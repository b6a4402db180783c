import { expect, test } from 'vitest';
import { refusalReason } from '../../../src/sandbox/http/refusal-reason.ts';

const issues = [
  { code: 'custom', path: [1, 'attachments', 0, 'content'], message: 'must be\nbase64' },
  { code: 'custom', path: [], message: 'Expected an object' },
];

test.each([
  ['{"error":{"code":"NOT_FOUND","message":"Email not found"}}', 'NOT_FOUND: Email not found'],
  ['{"error":{"message":"Only this"}}', 'Only this'],
  ['{"code":"NOT_UNIQUE","message":"Used before"}', 'NOT_UNIQUE: Used before'],
  ['{"error":"Domain not found"}', 'Domain not found'],
  [
    JSON.stringify({ success: false, error: { issues, name: 'ZodError' } }),
    '[1].attachments[0].content: must be base64\nExpected an object',
  ],
  ['404 Not Found', '404 Not Found'],
  [
    '<html><head><title>503 Down</title><style>p{}</style></head><body><h1>503 Down &lt;b&gt;</h1>\n<p>Later</p></body>',
    '503 Down <b> Later',
  ],
  ['{"unknown":"shape"}', '{"unknown":"shape"}'],
  ['', 'The response has no body, so it gives no reason.'],
  ['<html></html>', 'The response has no body, so it gives no reason.'],
])('of %s', (body, reason) => {
  expect(refusalReason(body)).toBe(reason);
});

test('of a union without a matching member: the issues of each member', () => {
  const body = {
    error: {
      issues: [
        {
          path: ['to'],
          message: 'Invalid input',
          unionErrors: [
            { issues: [{ path: ['to'], message: 'Expected string' }] },
            { issues: [{ path: ['to', 3], message: 'Expected string' }] },
          ],
        },
      ],
    },
  };
  expect(refusalReason(JSON.stringify(body))).toBe('to: Expected string\nto[3]: Expected string');
});

test('of a union with its own message: that message', () => {
  const unionErrors = [{ issues: [{ path: ['to'], message: 'Expected string' }] }];
  const message = 'must be an email address or a list of them';
  const issue = { path: ['to'], message, unionErrors };
  expect(refusalReason(JSON.stringify({ error: { issues: [issue] } }))).toBe(
    'to: must be an email address or a list of them',
  );
});

test('is shorter than what was rejected', () => {
  const many = Array.from({ length: 300 }, (_, at) => ({ path: [at], message: 'y'.repeat(2000) }));
  const lines = refusalReason(JSON.stringify({ error: { issues: many } })).split('\n');
  expect(lines).toHaveLength(101);
  expect(lines[0]).toHaveLength(501);
  expect(lines[100]).toBe('and 200 more');
});
