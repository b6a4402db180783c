import { describe, expect, test } from 'vitest';
import { runHere } from '../../support/here.ts';
import { needing } from '../../support/needs.ts';
import { createPlace } from '../../support/process.ts';
import { clientOf, type Sending } from '../../support/senders.ts';
import { serveSandbox } from '../../support/served.ts';
import { mounting, mountSmallDisk } from '../../support/small-disk.ts';

describe('a full disk', needing(mounting), () => {
  test('is a 500 with the reason, until there is room again', async () => {
    const place = createPlace();
    const disk = await mountSmallDisk(place.sandboxDirectory, 8192);
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
    const email = { from: 'a@example.com', to: 'b@example.org', subject: 's', text: 't' };
    const body = JSON.stringify(email);
    const message = "The sandbox's data cannot be used: the disk is full.";
    expect(await client.request('/emails', { method: 'POST', body })).toEqual({
      status: 500,
      body: { error: { code: 'INTERNAL_SERVER_ERROR', message } },
    });
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
    expect(stderr).toContain(`\nWarning: POST /api/v1/emails: ${message}\n`);
    expect(stderr).not.toMatch(/\n +at |SQLITE|undefined/);
  });

  test.for(['without data', 'with data'])(
    'before the start, %s, is an error with the fix',
    async (what) => {
      const place = createPlace();
      const disk = await mountSmallDisk(place.sandboxDirectory, 1024);
      if (what === 'with data') await runHere(place, 'email list --sandbox');
      disk.fill();
      const { exitCode, stdout, stderr } = await place.run('sandbox start --port 0');
      expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
      expect(stderr).toMatch(/^Error: Cannot open .*: .*full.*\nHint: To use another directory/);
    },
  );
});
