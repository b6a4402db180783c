import { expect, test } from 'vitest';
import { createPlace } from '../../support/process.ts';

/** The date that Liquid writes on a machine whose clock is in this zone: `Date` has the zone of its process. */
async function writtenIn(machine: string, value: string, timezone: string) {
  const subject = `{{ "${value}" | date: "%Y-%m-%d %H:%M" }}`;
  const place = createPlace({ TZ: machine });
  const words = ['email', 'batch', '-', '--from', 'a@example.com', '--subject', subject];
  const flags = [
    '--text',
    'x',
    '--preview',
    '1',
    '--fields',
    'subject',
    '--no-header',
    '--sandbox',
  ];
  const { stdout, stderr } = await place.run([...words, ...flags, '--timezone', timezone], {
    input: 'to\nana@example.org\n',
  });
  return { stdout: stdout.trimEnd(), stderr };
}

test.each([
  // The machine's clock goes back at 2:00, so it shows these hours twice, or in another offset.
  ['America/New_York', '2026-11-01 01:30', 'Europe/Berlin'],
  ['America/New_York', '2026-11-01 03:00', 'Europe/Berlin'],
  ['America/New_York', '2026-03-08 12:00', 'Asia/Tokyo'],
  ['Europe/Berlin', '2026-03-29 01:59', 'UTC'],
  ['Europe/Berlin', '2026-03-29 03:00', 'UTC'],
])('a date is right while the clock of the machine changes: in %s, %s %s', async (...given) => {
  expect(await writtenIn(...given)).toMatchObject({ stdout: given[1] });
});

test('an hour that the clock of the machine skips is an error, and no other hour', async () => {
  const { stdout, stderr } = await writtenIn('Europe/Berlin', '2026-03-29 02:30', 'UTC');
  expect(stdout).not.toContain('2026-03-29');
  expect(stderr).toContain('the clock of this machine skips 2026-03-29 02:30');
});
