import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { key } from '../../support/connected.ts';
import { mailboxService, stored } from '../../support/mailbox-service.ts';
import { createPlace } from '../../support/process.ts';

const start = Date.parse('2026-01-15T00:00:00Z');

// The first page is written before the second hangs.
test.each([60, 170])(
  'an export that is killed at email %i has each email once after it is run again',
  async (index) => {
    const emails = Array.from({ length: 230 }, (_, index) =>
      stored(`em_${index}`, { createdAt: new Date(start - index * 1000).toISOString() }),
    );
    const [slow] = emails.slice(index);
    if (slow === undefined) throw new Error('There is no such email');
    slow.hangs = true;
    const { service, requests } = await mailboxService(emails);
    const place = createPlace({ MAILER_API_KEY: key, MAILER_BASE_URL: service.baseUrl });
    const line = 'email export --output all.jsonl';
    const running = place.start(line);
    await expect
      .poll(() => requests().some((one) => one.endsWith(`/${slow.id}`)), { timeout: 20_000 })
      .toBe(true);
    running.kill('SIGKILL');
    await running;
    slow.hangs = false;
    const { exitCode } = await place.run(line);
    expect(exitCode).toBe(0);
    const lines = readFileSync(join(place.home, 'all.jsonl'), 'utf8').trimEnd().split('\n');
    expect(lines.map((text) => JSON.parse(text).id)).toEqual(emails.map(({ id }) => id));
  },
);
