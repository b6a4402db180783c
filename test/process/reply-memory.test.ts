import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { createPlace, isExecutable, temporaryDirectory } from '../support/process.ts';
import { startRecorder } from '../support/recorder.ts';

beforeEach(({ skip }) =>
  skip(isExecutable || process.platform !== 'linux', 'memory is measured within Node, on Linux'),
);

/** What any answer may take, in KiB; that of 32 MiB which is shown takes the most. */
const most = 400 * 1024;

/** Writes the most memory that the process has had to the file that PEAK names, in KiB. */
const preload = `
const { readFileSync, writeFileSync } = require('node:fs');
process.on('exit', () => {
  const [, peak] = /^VmHWM:\\s+(\\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'));
  writeFileSync(process.env.PEAK, peak);
});
`;

/** Runs a command line whose one request is answered with this, and measures its memory. */
async function answered(words: string, body: string, status = 200) {
  const service = await startRecorder((response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  });
  const directory = temporaryDirectory();
  const script = join(directory, 'preload.cjs');
  const peak = join(directory, 'peak');
  writeFileSync(script, preload);
  const outcome = await createPlace({
    NODE_OPTIONS: `--require=${script}`,
    PEAK: peak,
    MAILER_API_KEY: 'us_key_1234567890',
    MAILER_BASE_URL: service.baseUrl,
  }).run(`${words} --retries 0`);
  return { ...outcome, memory: Number(readFileSync(peak, 'utf8')) };
}

/** JSON text of so many MB: the unit again and again, with commas between. */
function filled(start: string, unit: string, end: string, megabytes: number): string {
  const times = Math.floor((megabytes * 1e6) / (unit.length + 1));
  return start + Array(times).fill(unit).join(',') + end;
}

const emptyEmail = (html: string) => `{"id":"em_1","emailEvents":[],"html":"${html}"}`;

test.each([
  ['a list of 0.3 MB', 'domain list', filled('[', '{}', ']', 0.3), '[0].id: '],
  ['a list of 9 MB', 'domain list', filled('[', '{}', ']', 9), 'more than 500,000 parts'],
  ['a list of 30 MB', 'api GET /v1/x --csv', filled('[', '{}', ']', 30), 'more than 500,000 parts'],
  [
    'a list in what is asked for',
    'email get em_1',
    filled('{"id":"em_1","emailEvents":[', '{}', ']}', 0.7),
    'emailEvents[0].status: ',
  ],
  ['more than is read', 'domain list', ' '.repeat(34e6), 'larger than 32 MiB'],
])('%s, which is not what was promised, takes little memory', async (_, words, body, said) => {
  const { exitCode, stdout, stderr, memory } = await answered(words, body);
  expect({ exitCode, stdout }).toEqual({ exitCode: 8, stdout: '' });
  expect(stderr).toContain(said);
  expect(memory).toBeLessThan(most * 0.6);
});

test.each([
  ['of those that are read', 0.7, /and [\d,]+ more$/m],
  ['of more than are read', 30, /^Error: The service answered 400\.$/m],
])('so do the issues of a refusal, %s', async (_, megabytes, said) => {
  const body = filled('{"success":false,"error":{"issues":[', '{}', ']}}', megabytes);
  const { exitCode, stderr, memory } = await answered('domain list', body, 400);
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(said);
  expect(memory).toBeLessThan(most * 0.75);
});

test.each([
  ['a text', 'email get em_1', emptyEmail('a'.repeat(31e6))],
  ['a text, as JSON', 'email get em_1 --json', emptyEmail('a'.repeat(31e6))],
  ['a text of line breaks', 'email get em_1', emptyEmail('\\n'.repeat(15.5e6))],
  ['a number', 'api GET /v1/x --jsonl', `[${'1'.repeat(31e6)}]`],
  ['numbers to be shown as they came', 'api GET /v1/x --jsonl', filled('[', '1.10', ']', 2)],
  ['many parts, as they came', 'api GET /v1/x', filled('[', '{}', ']', 31)],
])('%s of nearly as much as is read is shown', async (_, words, body) => {
  const { exitCode, stdout, stderr, memory } = await answered(words, body);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(stdout.length).toBeGreaterThan(0.9 * body.length);
  expect(memory).toBeLessThan(most);
});
