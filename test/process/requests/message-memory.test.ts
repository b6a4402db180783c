import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { peakMemory } from '../../support/peak-memory.ts';
import { createPlace, isExecutable } from '../../support/process.ts';

beforeEach(({ skip }) =>
  skip(isExecutable || process.platform !== 'linux', 'memory is measured within Node, on Linux'),
);

/** In KiB; a text of 31 MB takes half as much. */
const most = 800 * 1024;

const line = 'The quick brown fox jumps over the lazy dog and then again, once more.\r\n';

test.each(['email send --quiet --eml large.eml', 'sendmail -t'])(
  '%s reads a message with many lines in little memory',
  async (words) => {
    const { env, memory } = peakMemory();
    const place = createPlace(env);
    const headers = 'From: a@example.com\r\nTo: b@example.org\r\nSubject: Large\r\n\r\n';
    const message = `${headers}${line.repeat(430_000)}`;
    writeFileSync(join(place.home, 'large.eml'), message);
    const { exitCode } = await place.run(`${words} --sandbox --dry-run`, {
      input: message,
      plain: true,
    });
    expect(exitCode).toBe(0);
    expect(memory()).toBeLessThan(most);
  },
);
