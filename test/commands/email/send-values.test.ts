import { describe, expect, test } from 'vitest';
import { connected, errorOf } from '../../support/connected.ts';

const recipient = ['--to', 'ana@example.org'];
const sender = ['--from', 'hello@example.com'];
const text = ['--text', 'Hello'];
const minimal = ['email', 'send', ...recipient, ...sender, '--subject', 'Hi', ...text];

/** The error for an invalid command line. Nothing may be sent. */
async function refusal(words: readonly string[]): Promise<string> {
  const { run, service } = await connected();
  const outcome = await run([...words, '--json']);
  expect(service.requests).toEqual([]);
  expect(outcome.exitCode).toBe(2);
  const { code, message } = errorOf(outcome);
  expect(code).toBe('usage');
  return message;
}

describe('a value that cannot be sent', () => {
  test.each([
    ['8.11-2028', 'is ambiguous'],
    ['17/1-49', 'is ambiguous'],
    ['in 100 years', 'is more than 10 years away'],
    ['lastfriday', 'is ambiguous'],
  ])('a time that may be misread: %s', async (when, said) => {
    expect(await refusal([...minimal, '--scheduled-at', when])).toContain(`"${when}" ${said}`);
  });

  test.each([
    ['a subject with a line break', ['--subject', 'a\nb'], /--subject: .*line break/],
    ['a subject with NEL', ['--subject', 'a\u0085b'], /--subject: .*line break/],
    ['a subject with U+2028', ['--subject', 'a\u2028b'], /--subject: .*line break/],
    ['a header with U+2029', ['--header', 'X-A: b\u2029c'], /--header.*X-A.*line break/],
    ['a display name with U+2028', ['--to', 'A\u2028B <a@b.example>'], /--to: .* is not an email/],
    ['a subject with a carriage return', ['--subject', 'a\rb'], /--subject: .*line break/],
    [
      'a header without a colon',
      ['--header', 'X-Campaign spring'],
      /--header: "X-Campaign spring"/,
    ],
    ['a header without a name', ['--header', ': spring'], /--header: ": spring"/],
    [
      'a header with a blank in its name',
      ['--header', 'X Y: z'],
      /--header.*X Y.* not a valid header name/,
    ],
    [
      'a header name that is not ASCII',
      ['--header', 'X-Ä: z'],
      /--header.*X-Ä.* not a valid header name/,
    ],
    [
      'a header with CR and LF',
      ['--header', 'X-A: b\r\nBcc: c@d.example'],
      /--header.*X-A.*line break/,
    ],
    ['a header with LF', ['--header', 'X-A: b\nBcc: c@d.example'], /--header.*X-A.*line break/],
    [
      'an underscore in a domain',
      ['--cc', 'a@b_c.com'],
      /--cc: "a@b_c\.com" is not an email address/,
    ],
    ['a header without a value', ['--header', 'X-A:'], /--header.*X-A.*must not be empty/],
    [
      'a header for which there is a flag',
      ['--header', 'reply-To: a@b.example'],
      /^--header: services ignore a header reply-To; use --reply-to$/,
    ],
    ['a header given twice', ['--header', 'X-A: b', '--header', 'x-a: c'], /--header: x-a/],
    ['a variable without =', ['--var', 'name'], /--var: "name"/],
    ['a variable given twice', ['--var', 'a=1', '--var', 'a=2'], /--var: a /],
    [
      'a time in the past',
      ['--scheduled-at', '2020-01-01T00:00:00Z'],
      /--scheduled-at: "2020-01-01T00:00:00Z" is in the past/,
    ],
    [
      'an English time in the past',
      ['--scheduled-at', 'yesterday'],
      /--scheduled-at: "yesterday" is in the past/,
    ],
    ['no time', ['--scheduled-at', 'soonish'], /--scheduled-at: "soonish"/],
    [
      'an unknown time zone',
      ['--scheduled-at', 'tomorrow', '--timezone', 'Mars/Base'],
      /--timezone.*Mars\/Base/,
    ],
    ['a key of 257 characters', ['--idempotency-key', 'k'.repeat(257)], /--idempotency-key.*257/],
    ['a key with a blank', ['--idempotency-key', 'a b'], /--idempotency-key/],
    ['a key with a line break', ['--idempotency-key', 'a\nb'], /--idempotency-key/],
    ['a key that is not ASCII', ['--idempotency-key', 'ä'], /--idempotency-key/],
    ['--timeout 0', ['--timeout', '0'], /--timeout: "0"/],
    ['--timeout 1e3', ['--timeout', '1e3'], /--timeout: "1e3"/],
    ['--retries -1', ['--retries', '-1'], /--retries: "-1"/],
    ['--retries 2x', ['--retries', '2x'], /--retries: "2x"/],
    ['an unknown --wait', ['--wait=SOON'], /--wait: "SOON"/],
    ['--wait-timeout without --wait', ['--wait-timeout', '5m'], /--wait-timeout needs --wait/],
    [
      'a --wait-timeout that is none',
      ['--wait', '--wait-timeout', 'long'],
      /--wait-timeout.*"long"/,
    ],
    ['--csv', ['--csv'], /--csv/],
    ['-q beside --json', ['-q'], /--json and --quiet/],
    ['an empty --fields', ['--fields', 'a,,b'], /--fields.*"a,,b"/],
  ])('%s', async (_, flags, said) => {
    const base =
      flags[0] === '--subject' ? ['email', 'send', ...recipient, ...sender, ...text] : minimal;
    expect(await refusal([...base, ...flags])).toMatch(said);
  });

  test.each([
    '--subject',
    '--from',
    '--text',
    '--template',
    '--scheduled-at',
    '--retries',
    '--profile',
  ])('%s given twice', async (flag) => {
    const words = ['email', 'send', flag, '1', flag, '1'];
    expect(await refusal(words)).toMatch(new RegExp(`${flag}\\b.*2 times`));
  });

  test('a common flag given twice, before and after the command', async () => {
    const words = ['--timeout', '3', ...minimal, '--timeout', '4'];
    expect(await refusal(words)).toMatch(/--timeout.*2 times/);
  });

  test('missing flags are all named at once', async () => {
    const message = await refusal(['email', 'send']);
    for (const flag of ['--to', '--from', '--subject', '--text']) expect(message).toContain(flag);
    const less = await refusal(['email', 'send', ...sender, ...text]);
    expect(less).toMatch(/--to\b.*--subject\b/);
    expect(less).not.toMatch(/--from|--text/);
  });
});
