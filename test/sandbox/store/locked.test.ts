import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../../src/sandbox/store/sqlite.ts';
import { StorageFailure } from '../../../src/sandbox/store/storage-failure.ts';
import { createStore } from '../../../src/sandbox/store/store.ts';
import { email, hour, startSandbox } from '../harness.ts';

/** A second connection, which locks the database for writing from `begin` to `end`. */
function writer(path: string) {
  const database = openDatabase(path);
  onTestFinished(() => database.close());
  return {
    begin: () => database.exec('BEGIN IMMEDIATE'),
    end: () => database.exec('ROLLBACK'),
  };
}

test('due jobs wait while others write: the data can be read, but not changed', async () => {
  const log: string[] = [];
  const service = startSandbox({ patience: 20, log: (line) => log.push(line) });
  const { sandbox, request, ok, advance } = service;
  const { emailId } = await ok('email.send', { body: email({ subject: 'Waits' }) });
  advance(hour);
  const other = writer(sandbox.path);
  other.begin();

  const inbox = await sandbox.fetch(new Request('http://sandbox.test/'));
  expect(inbox.status).toBe(200);
  expect(await inbox.text()).toContain('Waits');
  expect(log).toEqual([expect.stringMatching(/^GET \/: .*another process has locked it\.$/)]);
  expect(await request('GET', '/emails')).toMatchObject({ status: 200, body: { count: 3 } });
  const failure = {
    code: 'INTERNAL_SERVER_ERROR',
    message: "The sandbox's data cannot be used: another process has locked it.",
  };
  expect(await request('POST', '/emails', { body: email() })).toMatchObject({
    status: 500,
    body: { error: failure },
  });
  expect(log.at(-1)).toBe(`POST /api/v1/emails: ${failure.message}`);

  other.end();
  const { emailEvents } = await ok('email.get', { params: { emailId } });
  expect(emailEvents.map(({ status }) => status)).toContain('DELIVERED');
});

test('after a timeout, the next wait is short, until it works again', () => {
  const { sandbox } = startSandbox();
  const other = writer(sandbox.path);
  const database = openDatabase(sandbox.path);
  onTestFinished(() => database.close());
  const store = createStore(database, 1000);
  const patience = () => database.prepare('PRAGMA busy_timeout').get()?.timeout;
  const write = () => store.write(() => {});

  other.begin();
  expect(write).toThrow(StorageFailure);
  expect(patience()).toBe(1000);
  expect(write).toThrow(StorageFailure);
  expect(patience()).toBe(100);
  other.end();
  write();
  write();
  expect(patience()).toBe(1000);
});
