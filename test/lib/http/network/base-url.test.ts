import { expect, test } from 'vitest';
import { UsageError } from '../../../../src/lib/errors.ts';
import { normalizeBaseUrl } from '../../../../src/lib/http/network/base-url.ts';

test.each([
  ['https://mail.example.com/api', 'https://mail.example.com/api'],
  [' https://mail.example.com/api/ ', 'https://mail.example.com/api'],
  ['https://mail.example.com/api//', 'https://mail.example.com/api'],
  ['https://mail.example.com/api/v1', 'https://mail.example.com/api'],
  ['https://mail.example.com/api/v1/', 'https://mail.example.com/api'],
  ['https://mail.example.com/v1', 'https://mail.example.com'],
  ['https://mail.example.com', 'https://mail.example.com'],
  ['HTTPS://Mail.Example.COM:443/API', 'https://mail.example.com/API'],
  ['http://localhost:3000/api', 'http://localhost:3000/api'],
  ['https://mail.example.com/apiv1', 'https://mail.example.com/apiv1'],
])('%s becomes %s', (value, expected) => {
  expect(normalizeBaseUrl(value, '--base-url')).toBe(expected);
});

test.each([
  ['mail.example.com/api'],
  ['us_0123456789'],
  ['ftp://mail.example.com'],
  ['javascript:alert(1)'],
  ['https://'],
  ['https://ana:secret@mail.example.com'],
  ['https://mail.example.com/api?token=secret'],
  ['https://mail.example.com/#api'],
])('%s is refused without being repeated', (value) => {
  const normalize = () => normalizeBaseUrl(value, 'MAILER_BASE_URL');
  expect(normalize).toThrow(UsageError);
  expect(normalize).toThrow(/^MAILER_BASE_URL: /);
  expect(normalize).not.toThrow(/secret|us_0123456789/);
});
