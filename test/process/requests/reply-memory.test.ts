import { beforeEach, expect, test } from 'vitest';
import { peakMemory } from '../../support/peak-memory.ts';
import { createPlace, isExecutable } from '../../support/process.ts';
import { startRecorder } from '../../support/recorder.ts';

beforeEach(({ skip }) =>
  skip(isExecutable || process.platform !== 'linux', 'memory is measured within Node, on Linux'),
);

/** The most memory for any response, in KiB: 400 MB are promised, and machines differ. */
const most = 340 * 1024;

/** A place that measures the memory of one command line, whose only request gets this response. */
async function placeFor(body: string, status: number) {
  const service = await startRecorder((response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  });
  const { env, memory } = peakMemory();
  const place = createPlace({
    ...env,
    MAILER_API_KEY: 'us_key_1234567890',
    MAILER_BASE_URL: service.baseUrl,
  });
  return { place, memory };
}

/** Runs a command line whose only request gets this response. */
async function answered(words: string, body: string, status = 200) {
  const { place, memory } = await placeFor(body, status);
  const outcome = await place.run(`${words} --retries 0`, { plain: true });
  return { ...outcome, memory: memory() };
}

/** JSON text of this many MB: the unit repeated, separated by commas. */
function filled(start: string, unit: string, end: string, megabytes: number): string {
  const times = Math.floor((megabytes * 1e6) / (unit.length + 1));
  return start + Array(times).fill(unit).join(',') + end;
}

const emptyEmail = (html: string) => `{"id":"em_1","emailEvents":[],"html":"${html}"}`;

/** Responses just below the limit, in various forms. */
const nearly = 16.7e6;

/** Text whose last character makes it take two bytes per character. */
const wide = (text: string) => `${text.repeat(nearly / Buffer.byteLength(text))}世`;

test.each([
  ['a list of 0.35 MB', 'domain list', filled('[', '{}', ']', 0.35), '[0].id: '],
  ['a list of 16 MB', 'api GET /v1/x --csv', filled('[', '{}', ']', 16), 'too many values'],
  [
    'a list in what is asked for',
    'email get em_1',
    filled('{"id":"em_1","emailEvents":[', '{}', ']}', 0.35),
    'emailEvents[0].status: ',
  ],
  ['more than is read', 'domain list', ' '.repeat(17e6), 'larger than 16 MiB'],
])('%s, not as the contract says, takes little memory', async (_, words, body, said) => {
  const { exitCode, stdout, stderr, memory } = await answered(words, body);
  expect({ exitCode, stdout }).toEqual({ exitCode: 8, stdout: '' });
  expect(stderr).toContain(said);
  expect(memory).toBeLessThan(most * 0.6);
});

test.each([
  ['of those that are read', 0.35, /and [\d,]+ more$/m],
  ['of more than are read', 16, /^Error: The service responded with 400\.$/m],
])('so do the issues of a rejection, %s', async (_, megabytes, said) => {
  const body = filled('{"success":false,"error":{"issues":[', '{}', ']}}', megabytes);
  const { exitCode, stderr, memory } = await answered('domain list', body, 400);
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(said);
  expect(memory).toBeLessThan(most * 0.75);
});

test.each([
  ['a message, as JSON', `{"error":{"message":"${wide('a')}"}}`, 'email get em_1 --json', 0],
  ['plain text', wide('a'), 'email get em_1', 0],
  ['with its head', `{"error":{"message":"${wide('a')}"}}`, 'api GET /v1/x -i', nearly],
])('a rejection just below the limit, %s', async (_, body, words, shown) => {
  const { exitCode, stdout, memory } = await answered(words, body, 400);
  expect(exitCode).toBe(1);
  expect(stdout.length).toBeGreaterThanOrEqual(shown);
  expect(memory).toBeLessThan(most);
});

/** Responses just below the limit, in the shapes that take the most memory. */
const answers: readonly (readonly [what: string, words: string, body: string])[] = [
  ['a text', 'email get em_1', emptyEmail(wide('a'))],
  ['control characters, as JSON', 'email get em_1 --json', emptyEmail(wide('\x85'))],
  ['a text with its head, as JSON', 'api GET /v1/x -i --json', wide('a')],
  ['quotation marks, as CSV', 'api GET /v1/x --csv-safe', `[${emptyEmail(wide('\\"'))}]`],
  ['a number', 'api GET /v1/x --jsonl', `[${'1'.repeat(nearly)}]`],
  [
    'numbers to be shown as they came',
    'api GET /v1/x --jsonl',
    filled(`["${'a'.repeat(nearly - 8e5)}世",`, '1.10', ']', 0.4),
  ],
  ['many numbers', 'api GET /v1/x --jsonl', filled('[', '1.10', ']', 1.2)],
  ['many parts, as they came', 'api GET /v1/x', filled('[', '{}', ']', 16)],
];

test.each(answers)('%s, just below the limit, is shown', async (_, words, body) => {
  const { exitCode, stdout, stderr, memory } = await answered(words, body);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(Buffer.byteLength(stdout)).toBeGreaterThan(0.9 * Buffer.byteLength(body));
  expect(memory).toBeLessThan(most);
});

test('rows that all have different fields are no CSV', async () => {
  const rows = Array.from({ length: 30_000 }, (_, row) => `{"field${row}":1}`);
  const { exitCode, stdout, stderr } = await answered('api GET /v1/x --csv', `[${rows.join(',')}]`);
  expect({ exitCode, stdout }).toEqual({ exitCode: 8, stdout: '' });
  expect(stderr).toContain('too many different fields to be shown as CSV');
});

test.each(['', '--csv'])(
  'all contacts that the service lists at most are shown %s',
  async (format) => {
    const properties = Object.fromEntries(
      Array.from({ length: 10 }, (_, at) => [`name${at}`, 'of it']),
    );
    const contact = { id: 'ct_1', firstName: null, lastName: null, subscribed: true, properties };
    const contacts = Array.from({ length: 5000 }, (_, at) => ({
      ...contact,
      email: `person${at}@example.org`,
      unsubscribeReason: null,
      contactBookId: 'cb_1',
      createdAt: '2026-01-31T09:00:00.000Z',
      updatedAt: '2026-01-31T09:00:00.000Z',
    }));
    const words = `api GET /v1/contactBooks/cb_1/contacts ${format}`;
    const { exitCode, stdout, memory } = await answered(words.trim(), JSON.stringify(contacts));
    expect(exitCode).toBe(0);
    expect(stdout).toContain('person4999@example.org');
    expect(memory).toBeLessThan(most);
  },
);
