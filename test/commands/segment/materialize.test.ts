import { expect, test } from 'vitest';
import { connected, errorOf } from '../../support/connected.ts';
import { createWorld } from '../../support/run.ts';
import { withSegmentOf } from './made.ts';

test('makes a contact book of the contacts, each with its properties and subscription', async () => {
  const { world } = await withSegmentOf(['firstName in Ana,Liam']);
  const { stdout, stderr } = await world.run('segment materialize Some --name March --sandbox');
  const book = stdout.trim();
  expect(stderr).toBe(
    `Created contact book March with 2 contacts. To send to it: mailer campaign create --book ${book} --sandbox\n`,
  );
  const contacts = await world.run(`api GET /v1/contactBooks/${book}/contacts --sandbox`);
  expect(
    JSON.parse(contacts.stdout).map((one: Record<string, unknown>) => [
      one.firstName,
      one.subscribed,
    ]),
  ).toEqual(
    expect.arrayContaining([
      ['Ana', true],
      ['Liam', false],
    ]),
  );
  const found = await world.run(`api GET /v1/contactBooks/${book} --sandbox --jq .name`);
  expect(found.stdout.trim()).toMatch(/^"?March"?$/);
});

test('without --name: 2, and nothing is sent', async () => {
  const { run, requests } = await connected();
  const { exitCode, stderr } = await run('segment materialize Pro');
  expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: 'Error: Missing --name\n' });
  expect(requests()).toEqual([]);
});

test('--dry-run looks nothing up', async () => {
  const world = createWorld();
  const byId = await world.run('segment materialize seg_1 --name A --dry-run');
  expect(byId.stdout).toContain('POST {base_url}/v1/segments/seg_1/materialize');
  const byName = await world.run('segment materialize Pro --name A --dry-run');
  expect(byName.stdout).toContain('POST {base_url}/v1/segments/Pro/materialize');
  expect(byName.stderr).toContain('The segment "Pro" would be looked up first');
});

test('one whose response is lost is not repeated, and the error says so', async () => {
  const { run, requests } = await connected({ body: [{ id: 'seg_1', name: 'Pro' }] }, (response) =>
    response.destroy(),
  );
  const outcome = await run('segment materialize Pro --name A --json');
  expect(outcome.exitCode).toBe(7);
  expect(errorOf(outcome).hint).toContain('The contact book may have been created.');
  expect(requests()).toHaveLength(2);
});
