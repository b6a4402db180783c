import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bounce } from '../../support/mailbox-service.ts';
import { createPlace } from '../../support/process.ts';
import { type Answer, startRecorder } from '../../support/recorder.ts';
import { openTerminal } from '../../support/terminal.ts';

test('email batch --wait: a summary that changes in place, then groups of failures', async () => {
  let isLate = true;
  const delivered = { status: 'DELIVERED', createdAt: '2026-01-15T10:00:01.000Z' };
  const gone = bounce('Permanent', '550 5.1.1 <gone@example.org> unknown', 'gone@example.org');
  const people = ['ana@example.org', 'gone@example.org', 'late@example.org'];
  const answer: Answer = (response, { method, path }) => {
    const number = Number(path.split('_')[1]);
    const emailEvents = [number === 1 ? gone : delivered].slice(number === 2 && isLate ? 1 : 0);
    const body =
      method === 'POST'
        ? { data: people.map((_, index) => ({ emailId: `em_${index}` })) }
        : { id: `em_${number}`, to: [people[number]], emailEvents };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
  const service = await startRecorder(...Array<Answer>(1000).fill(answer));
  const place = createPlace({
    MAILER_BASE_URL: service.baseUrl,
    MAILER_API_KEY: 'us_key_0123456789',
  });
  writeFileSync(join(place.home, 'people.csv'), ['to', ...people].join('\n'));
  const line =
    'mailer email batch people.csv --from hello@example.com --subject Hi --text Hello --yes --wait';
  const terminal = openTerminal(place, `${line}; echo "exit code $?"`, { columns: 100 });
  await terminal.shows('1 of 3 delivered, 1 failed…');
  isLate = false;
  expect(await terminal.end()).toBe(0);
  const { rows } = terminal.screen();
  expect(terminal.text()).not.toContain('failed…');
  expect(rows).toContainEqual(expect.stringMatching(/^Delivered +2$/));
  expect(rows).toContainEqual(
    expect.stringMatching(/^1 +BOUNCED +.*550 5\.1\.1 … unknown +gone@example\.org$/),
  );
  expect(rows.at(-1)).toBe('exit code 9');
});
