import { expect, test } from 'vitest';
import { connected } from '../../../support/connected.ts';

// How much memory they take: `npm run bench -- memory`.

/** JSON text of this many MB: the unit repeated, separated by commas. */
function filled(start: string, unit: string, end: string, megabytes: number): string {
  const times = Math.floor((megabytes * 1e6) / (unit.length + 1));
  return start + Array(times).fill(unit).join(',') + end;
}

/** Runs a command line whose only request gets this response. */
async function answered(words: string, body: string) {
  const { run } = await connected((response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(body);
  });
  return await run(`${words} --retries 0`);
}

test.each([
  ['a list', 'domain list', filled('[', '{}', ']', 0.35), '[0].id: '],
  ['a list of 16 MB', 'api GET /v1/x --csv', filled('[', '{}', ']', 16), 'too many values'],
  [
    'a list in what is asked for',
    'email get em_1',
    filled('{"id":"em_1","emailEvents":[', '{}', ']}', 0.35),
    'emailEvents[0].status: ',
  ],
  [
    'more than is read',
    'domain list',
    ' '.repeat(17e6),
    'Error: The response is larger than 16 MiB.',
  ],
  [
    'rows that all have different fields',
    'api GET /v1/x --csv',
    `[${Array.from({ length: 30_000 }, (_, row) => `{"field${row}":1}`).join(',')}]`,
    'too many different fields to be shown as CSV',
  ],
])('%s, not as the contract says, is 8', async (_, words, body, said) => {
  const { exitCode, stdout, stderr } = await answered(words, body);
  expect({ exitCode, stdout }).toEqual({ exitCode: 8, stdout: '' });
  expect(stderr).toContain(said);
});

test.each([
  [
    'a text',
    'email get em_1 --fields html',
    `{"id":"em_1","emailEvents":[],"html":"${'a'.repeat(16.7e6)}"}`,
  ],
  ['many parts', 'api GET /v1/x', filled('[', '{}', ']', 16)],
])('%s, just below the limit, is shown', async (_, words, body) => {
  const { exitCode, stdout, stderr } = await answered(words, body);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(stdout.length).toBeGreaterThan(0.99 * body.length);
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
    const { exitCode, stdout } = await answered(words, JSON.stringify(contacts));
    expect(exitCode).toBe(0);
    expect(stdout).toContain('person4999@example.org');
  },
);
