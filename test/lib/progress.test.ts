import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { createProgress } from '../../src/lib/progress.ts';

/** A terminal of this width, and what was written to it. */
function terminal(columns: number) {
  let text = '';
  const stream = new Writable({
    write(chunk, _encoding, callback) {
      text += String(chunk);
      callback();
    },
  });
  const does = () => true;
  const tty = { isTTY: true, columns, clearLine: does, cursorTo: does, moveCursor: does };
  return { stream: Object.assign(stream, tty), written: () => text };
}

test('one spinner for a wait and all that is waited for in it, with the newest text', async () => {
  const { stream, written } = terminal(80);
  const progress = createProgress(stream, true);
  await progress.during('Outer', () => {
    progress.update('Newest');
    return progress.during('Inner', async () => {
      await expect.poll(written).toContain('Newest');
    });
  });
  expect(written()).not.toMatch(/Outer|Inner/);
  // Hides the cursor once, shows it once.
  expect(written().split('[?25l')).toHaveLength(2);
  expect(written().split('[?25h')).toHaveLength(2);
});

test('a terminal without a size has no spinner', () => {
  expect(createProgress(terminal(0).stream, true).enabled).toBe(false);
  expect(createProgress(terminal(80).stream, true).enabled).toBe(true);
  expect(createProgress(terminal(80).stream, false).enabled).toBe(false);
});
