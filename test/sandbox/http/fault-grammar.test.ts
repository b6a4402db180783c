import { describe, expect, test } from 'vitest';
import {
  FaultSyntaxError,
  parseDelay,
  parseFault,
} from '../../../src/sandbox/http/faults/fault.ts';
import { readFault } from '../../../src/sandbox/http/faults/read-fault.ts';
import { parseRateLimit } from '../../../src/sandbox/http/rate-limit.ts';

describe('a fault', () => {
  test('is a method, a path, an effect and a count', () => {
    expect(parseFault('POST /v1/emails 503 x2')).toEqual({
      text: 'POST /v1/emails 503 x2',
      method: 'POST',
      path: '/v1/emails',
      effect: { kind: 'status', status: 503, shape: 'html' },
      times: 2,
    });
  });

  test('is always shown in the same spelling', () => {
    const { text, times } = parseFault('  post\t/v1/emails/{emailId}   DELAY 2S  X02 ');
    expect({ text, times }).toEqual({ text: 'POST /v1/emails/{emailId} delay 2s x2', times: 2 });
  });

  test.each([
    ['* * drop', { kind: 'drop' }],
    ['GET /v1/* drop-reply', { kind: 'drop-reply' }],
    ['GET /* cut-reply', { kind: 'cut-reply' }],
    ['PUT /v1/domains/1/verify expired-key', { kind: 'expired-key' }],
    ['PATCH /v1/a%20b/~x blocked x1', { kind: 'blocked' }],
    ['DELETE * delay 1.5s', { kind: 'delay', milliseconds: 1500 }],
    ['POST /v1/emails/batch short', { kind: 'short', every: 2 }],
    ['POST * short 100 x2', { kind: 'short', every: 100 }],
    ['* * 400', { kind: 'status', status: 400, shape: 'envelope' }],
    ['* * 500', { kind: 'status', status: 500, shape: 'envelope' }],
    ['* * 502', { kind: 'status', status: 502, shape: 'html' }],
    ['* * 400:zod', { kind: 'status', status: 400, shape: 'zod' }],
    ['* * 404:bare', { kind: 'status', status: 404, shape: 'bare' }],
    ['* * 404:text', { kind: 'status', status: 404, shape: 'text' }],
    ['* * 503:envelope x999999', { kind: 'status', status: 503, shape: 'envelope' }],
  ])('%s', (text, effect) => {
    expect(parseFault(text)).toMatchObject({ text, effect });
  });

  test.each([
    ['', 'it is empty'],
    ['   ', 'it is empty'],
    ['SEND /v1/emails 503', '"SEND" is not a method: use GET, POST, PUT, PATCH, DELETE, SMTP or *'],
    ['/v1/emails 503', '"/v1/emails" is not a method'],
    ['POST', 'the path is missing'],
    ['POST v1/emails 503', 'the path "v1/emails" does not start with /'],
    ['POST 503 x2', 'the path "503" does not start with /'],
    ['POST /api/v1/emails 503', 'leave /api out of the path'],
    ['GET /v1/emails?page=1 503', 'the path must not have a query'],
    ['GET /v1/*/x 503', '* can only be at the end'],
    ['GET /v1/em* 503', '* can only be at the end'],
    ['GET ** 503', 'does not start with /'],
    ['GET /v1/{emailId 503', 'is not a path such as'],
    ['GET /v1/x{a} 503', 'is not a path such as'],
    ['GET /v1/é 503', 'is not a path such as'],
    ['POST /v1/emails', 'the effect is missing: use a status such as 503, "delay 2s", "short 3",'],
    ['POST /v1/emails x2', '"x2" is not an effect'],
    ['POST /v1/emails explode', '"explode" is not an effect'],
    ['POST /v1/emails 200', '"200" is not a status from 400 to 599'],
    ['POST /v1/emails 600', '"600" is not a status from 400 to 599'],
    ['POST /v1/emails 50', '"50" is not a status from 400 to 599'],
    ['POST /v1/emails -503', '"-503" is not a status from 400 to 599'],
    ['POST /v1/emails 400:xml', 'has no known shape: envelope, zod, bare, text, html'],
    ['POST /v1/emails 400:zod:zod', 'has no known shape'],
    ['POST /v1/emails 503 twice', 'unexpected "twice" after the effect'],
    ['POST /v1/emails 503 2', 'unexpected "2" after the effect'],
    ['POST /v1/emails 503 x2 x3', 'unexpected "x2" after the effect'],
    ['POST /v1/emails 503 x0', '"x0" is not a number of times'],
    ['POST /v1/emails 503 x-1', '"x-1" is not a number of times'],
    ['POST /v1/emails 503 x1.5', '"x1.5" is not a number of times'],
    ['POST /v1/emails 503 x1000000', '"x1000000" is not a number of times'],
    ['POST * short 1', 'short needs a number from 2 to 100'],
    ['POST * short 101', 'short needs a number from 2 to 100'],
    ['POST * short half', 'short needs a number from 2 to 100'],
    ['POST * short 2 3', 'unexpected "3" after the effect'],
    ['POST /v1/emails delay', 'delay needs a time'],
    ['POST /v1/emails delay x2', 'delay needs a time'],
    ['POST /v1/emails delay 2', 'delay needs a time'],
    ['POST /v1/emails delay 0s', 'delay needs a time'],
    ['POST /v1/emails delay 2h', 'delay needs a time up to 1h'],
    ['POST /v1/emails delay 2s 503', 'unexpected "503" after the effect'],
    [`POST /v1/${'a'.repeat(300)} 503`, 'it has more than 300 characters'],
    ['POST /v1/\u001b[31m 503', 'is not a path such as'],
  ])('%j is invalid', (text, reason) => {
    expect(() => parseFault(text)).toThrow(FaultSyntaxError);
    expect(() => parseFault(text)).toThrow(reason);
  });
});

describe('short', () => {
  test.each(['POST /v1/emails/batch short', 'POST /v1/emails/* short 3', '* * short'])(
    'can happen to %s',
    (text) => {
      expect(readFault(text).text).toBe(text);
    },
  );

  test.each(['POST /v1/emails short', 'GET * short', 'POST /v1/emails/{id}/cancel short'])(
    'cannot happen to %s: it is for batches',
    (text) => {
      expect(() => readFault(text)).toThrow(FaultSyntaxError);
      expect(() => readFault(text)).toThrow('short is for POST /v1/emails/batch');
    },
  );
});

test.each([
  ['1ms', 1],
  ['200ms', 200],
  ['1.5s', 1500],
  ['2m', 120_000],
  ['1h', 3_600_000],
  ['1m30s', 90_000],
  ['2S', 2000],
  ['0ms', undefined],
  ['200', undefined],
  ['61m', undefined],
  ['-1s', undefined],
  ['1e3s', undefined],
  ['1 s', undefined],
  ['1d', undefined],
  ['s', undefined],
  ['', undefined],
])('the time %j', (text, milliseconds) => {
  expect(parseDelay(text)).toBe(milliseconds);
});

test.each([
  ['2/s', 2],
  ['2', 2],
  ['999999/s', 999_999],
  ['0', undefined],
  ['1000000', undefined],
  ['2/m', undefined],
  ['0.5/s', undefined],
  ['-2', undefined],
  ['', undefined],
])('the rate limit %j', (text, perSecond) => {
  expect(parseRateLimit(text)).toBe(perSecond);
});
