import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test } from 'vitest';
import { runHere } from '../../support/here.ts';
import { createPlace, type Place } from '../../support/process.ts';
import { clientOf, type Sending } from '../../support/senders.ts';
import { serveSandbox } from '../../support/served.ts';
import { mountSmallDisk } from '../../support/small-disk.ts';

/** The response to a request that could not be carried out. */
function failure(reason: string) {
  const message = `The sandbox's data cannot be used: ${reason}`;
  return { status: 500, body: { error: { code: 'INTERNAL_SERVER_ERROR', message } } };
}

describe('a full disk', () => {
  test('is a 500 with the reason, until there is room again', async ({ skip }) => {
    const place = createPlace();
    const disk = await mountSmallDisk(place.sandboxDirectory, 8192);
    if (disk === undefined) return skip('no file system can be mounted here');
    const served = await serveSandbox(place);
    const client = clientOf(served);
    const before: Sending = { key: 'before' };
    expect(await client.send(before)).toBe(200);

    disk.fill();
    const sent: Sending[] = [before];
    let refused: Sending | undefined;
    // It first uses the free space in its own files.
    for (let index = 0; refused === undefined; index++) {
      const sending: Sending = { key: `full-${index}` };
      if ((await client.send(sending)) === 200) sent.push(sending);
      else refused = sending;
    }
    const body = JSON.stringify({
      from: 'a@example.com',
      to: 'b@example.org',
      subject: 's',
      text: 't',
    });
    expect(await client.request('/emails', { method: 'POST', body })).toEqual(
      failure('the disk is full.'),
    );
    const subjects = await client.subjects();
    for (const { id, key } of sent) expect(subjects.get(id ?? '')).toBe(key);
    const front = await fetch(served.url);
    expect(front.status).toBe(200);

    disk.empty();
    expect(await client.send(refused)).toBe(200);
    expect((await client.subjects()).get(refused.id ?? '')).toBe(refused.key);
    served.process.kill('SIGTERM');
    const { exitCode, stderr } = await served.process;
    expect(exitCode).toBe(143);
    expect(stderr).toMatch(
      /^Warning: POST \/api\/v1\/emails: The sandbox's data cannot be used: the disk is full\.$/m,
    );
    expect(stderr).not.toMatch(/\n +at |SQLITE|undefined/);
  });

  test.for(['without data', 'with data'])(
    'before the start, %s, is an error with the fix',
    async (what, { skip }) => {
      const place = createPlace();
      const disk = await mountSmallDisk(place.sandboxDirectory, 1024);
      if (disk === undefined) return skip('no file system can be mounted here');
      if (what === 'with data') await runHere(place, 'email list --sandbox');
      disk.fill();
      const { exitCode, stdout, stderr } = await place.run('sandbox start --port 0');
      expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
      expect(stderr).toMatch(/^Error: Cannot open .*: .*full.*\nHint: To use another directory/);
    },
  );
});

describe('damaged data', () => {
  const noise = Buffer.alloc(80_000, 'noise');

  test.for([
    ['from its first byte on', 0],
    ['after its first pages', 12_288],
  ] as const)('%s, is replaced by a reset, as the message says', async ([, from]) => {
    const place = createPlace();
    await runHere(place, 'email list --sandbox');
    const [name = ''] = globSync('*.sqlite', { cwd: place.sandboxDirectory });
    const path = join(place.sandboxDirectory, name);
    writeFileSync(path, Buffer.concat([readFileSync(path).subarray(0, from), noise]));
    const { exitCode, stderr } = await place.run('sandbox start --port 0');
    expect(exitCode).toBe(2);
    expect(stderr).toContain('it is damaged. To start over: mailer sandbox reset');
    expect(await runHere(place, 'sandbox reset --yes')).toMatchObject({ exitCode: 0 });
    const { stdout } = await runHere(place, 'email list --sandbox --quiet');
    expect(stdout).toBe('email_receipt\nemail_welcome\n');
  });
});

test('data that is deleted while it is served: nothing is accepted that would be lost', async () => {
  const place = createPlace();
  const served = await serveSandbox(place);
  const client = clientOf(served);
  expect(await client.send({ key: 'before' })).toBe(200);
  rmSync(place.sandboxDirectory, { recursive: true });
  const body = JSON.stringify({
    from: 'a@example.com',
    to: 'b@example.org',
    subject: 's',
    text: 't',
  });
  const reason = 'it was deleted. Stop the sandbox and start it again.';
  expect(await client.request('/emails', { method: 'POST', body })).toEqual(failure(reason));
  expect((await fetch(`${served.url}/control/reset`, { method: 'POST' })).status).toBe(500);
  // A new directory in its place is not the one it has open either.
  await runHere(place, 'email list --sandbox');
  expect(await client.request('/emails', { method: 'POST', body })).toEqual(failure(reason));
  served.process.kill('SIGTERM');
  const { exitCode, stderr } = await served.process;
  expect(exitCode).toBe(143);
  expect(stderr).toContain(
    `Warning: POST /api/v1/emails: The sandbox's data cannot be used: ${reason}`,
  );
  expect(stderr).not.toMatch(/\n +at |ENOENT/);
});

test('a server that cannot write its note still works', async () => {
  const place = createPlace();
  mkdirSync(join(place.sandboxDirectory, 'running.json'), { recursive: true });
  const served = await serveSandbox(place);
  expect((await clientOf(served).subjects()).size).toBe(2);
  served.process.kill('SIGINT');
  const { exitCode, stderr } = await served.process;
  expect(exitCode).toBe(130);
  expect(stderr).toMatch(/^Warning: Other commands will not know that it is running: EISDIR/m);
});

describe('a locked database', () => {
  /** Another process that has started a write and never ends it. */
  function lock(place: Place) {
    const [name = ''] = globSync('*.sqlite', { cwd: place.sandboxDirectory });
    const other = new DatabaseSync(join(place.sandboxDirectory, name));
    onTestFinished(() => other.close());
    other.exec('BEGIN IMMEDIATE');
    return { unlock: () => other.exec('COMMIT') };
  }

  test('is a 500 with the reason, until it is free again', async () => {
    const place = createPlace();
    const served = await serveSandbox(place);
    const client = clientOf(served);
    const { unlock } = lock(place);
    const body = JSON.stringify({
      from: 'a@example.com',
      to: 'b@example.org',
      subject: 's',
      text: 't',
    });
    const sends = await Promise.all(
      [1, 2, 3, 4].map(() => client.request('/emails', { method: 'POST', body })),
    );
    for (const answer of sends) expect(answer).toEqual(failure('another process has locked it.'));
    expect(await client.request('/emails')).toMatchObject({ status: 200, body: { count: 2 } });

    unlock();
    expect(await client.request('/emails', { method: 'POST', body })).toMatchObject({
      status: 200,
    });
    served.process.kill('SIGTERM');
    const { exitCode, stderr } = await served.process;
    expect(exitCode).toBe(143);
    expect(stderr.match(/^Warning: POST .* another process has locked it\.$/gm)).toHaveLength(4);
    expect(stderr).not.toMatch(/\n +at |SQLITE/);
  });
});
