import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import type { View } from '../../../../src/lib/base/terminal/live-region.ts';
import { createProgress } from '../../../../src/lib/base/terminal/progress.ts';
import { patience } from '../../../support/patience.ts';

/** A terminal of this size, and what was written to it. */
function terminal(columns: number, rows?: number) {
  let text = '';
  const stream = new Writable({
    write(chunk, _encoding, callback) {
      text += String(chunk);
      callback();
    },
  });
  const does = () => true;
  const size = rows === undefined ? { columns } : { columns, rows };
  const tty = { isTTY: true, ...size, clearLine: does, cursorTo: does, moveCursor: does };
  return { stream: Object.assign(stream, tty), written: () => text };
}

/** Shows a view while `act` runs, and returns what was written from then on. */
async function viewed(
  { stream, written }: ReturnType<typeof terminal>,
  view: View,
  act: () => void | Promise<void>,
) {
  const progress = createProgress(() => stream, true, 0);
  let before = 0;
  await progress.during(
    'The note below',
    async () => {
      await expect.poll(written, { timeout: patience }).toContain('note');
      before = written().length;
      await act();
    },
    async () => view,
  );
  return written().slice(before);
}

test('a view that is higher than the terminal is cut, above the text', async () => {
  const shown = terminal(40, 3);
  await viewed(
    shown,
    () => ['One', 'Two', 'Three', 'Four'],
    () => {},
  );
  expect(shown.written()).toContain(' One\n  Two\n  The note below');
  expect(shown.written()).not.toMatch(/Three|truncated/);
});

test('if the terminal becomes narrower, all wrapped lines are erased', async () => {
  const shown = terminal(40);
  const view = (columns: number) => ['x'.repeat(columns), 'y'.repeat(columns), 'short'];
  const after = await viewed(shown, view, () => {
    // Two lines of 38 columns each take two rows of 20.
    shown.stream.columns = 20;
    shown.stream.emit('resize');
  });
  expect(after).toContain('\x1b[2A\x1b[J\r');
  expect(after).toContain(`${'x'.repeat(16)}\n  ${'y'.repeat(16)}\n  short\n  The note below`);
});

test('if the terminal becomes wider, no more rows are erased', async () => {
  const shown = terminal(40);
  const view = (columns: number) => ['x'.repeat(columns)];
  const after = await viewed(shown, view, async () => {
    shown.stream.columns = 50;
    shown.stream.emit('resize');
    await expect.poll(shown.written, { timeout: patience }).toContain('x'.repeat(46));
  });
  expect(after).not.toContain('\x1b[J');
});

test('at the end, no listener is left on the terminal', async () => {
  const shown = terminal(40);
  await viewed(
    shown,
    () => ['One'],
    () => expect(shown.stream.listenerCount('resize')).toBe(1),
  );
  expect(shown.stream.listenerCount('resize')).toBe(0);
});
