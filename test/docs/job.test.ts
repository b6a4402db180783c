import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { connected } from '../support/connected.ts';
import type { Answer } from '../support/recorder.ts';

/** The line of the README for a job, without the program's name. */
const [, line = ''] =
  /^mailer (domain verify fail\.example\.org --wait .*)$/m.exec(
    readFileSync('README.md', 'utf8'),
  ) ?? [];

const record = { type: 'TXT', name: 'mail', value: 'v=spf1 -all', status: 'PENDING' };
const state = (status: string, fields = {}) => {
  return { id: 4, name: 'fail.example.org', status, dnsRecords: [record], ...fields };
};
const verifying = state('PENDING', { isVerifying: true });
const begun: Answer[] = [{ body: [verifying] }, { body: verifying }, { body: {} }];
const down = Array<Answer>(200).fill({ status: 503, body: 'down' });

test.each<[string, Answer[], { code: number; says: string[]; key?: string }]>([
  ['a missing secret', [], { code: 3, says: ['MAILER_API_KEY', 'Hint: '], key: '' }],
  [
    'a wrong record',
    [...begun, { body: state('FAILED', { errorMessage: 'SPF is wrong' }) }],
    { code: 9, says: ['SPF is wrong', 'TXT\tmail.fail.example.org\t'] },
  ],
  [
    'a service that is down at the start',
    [...down.slice(0, 7), ...begun, { body: state('SUCCESS') }],
    { code: 0, says: ['503: down. Still waiting.', 'is verified'] },
  ],
  [
    'a service that is down in the middle',
    [...begun, ...down.slice(0, 7), { body: state('SUCCESS') }],
    { code: 0, says: ['503: down. Still waiting.', 'is verified'] },
  ],
  [
    'a service that is down at the end',
    [...begun, { body: verifying }, ...down],
    { code: 7, says: ['unavailable since 2026-01-15T10:00:', 'is PENDING', 'To keep waiting: '] },
  ],
  ['a verified domain', [{ body: [state('SUCCESS')] }], { code: 0, says: ['already verified'] }],
])(
  'the job of the README with %s has a short log that tells what to do',
  async (_, answers, job) => {
    const { run } = await connected(...answers);
    const env = { CI: 'true', ...(job.key === undefined ? {} : { MAILER_API_KEY: job.key }) };
    const { exitCode, stdout, stderr } = await run(line, { env });
    expect(exitCode).toBe(job.code);
    const log = `${stdout}${stderr}`;
    for (const words of job.says) expect(log).toContain(words);
    expect(log.trimEnd().split('\n').length).toBeLessThanOrEqual(20);
  },
);
