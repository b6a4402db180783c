import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import type { View } from '../../../src/lib/terminal/live-region.ts';
import { createProgress } from '../../../src/lib/terminal/progress.ts';

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

test('one spinner for a wait and all that is waited for in it, with the newest text', async () => {
  const { stream, written } = terminal(80);
  const progress = createProgress(() => stream, true);
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
  expect(createProgress(() => terminal(0).stream, true).enabled).toBe(false);
  expect(createProgress(() => terminal(80).stream, true).enabled).toBe(true);
  expect(createProgress(() => terminal(80).stream, false).enabled).toBe(false);
});

/** Shows a view until `act` has been done with it, and returns what was written from then on. */
async function viewed(
  { stream, written }: ReturnType<typeof terminal>,
  view: View,
  act: () => void | Promise<void>,
) {
  const progress = createProgress(() => stream, true);
  let before = 0;
  await progress.during(
    'The note below',
    async () => {
      await expect.poll(written).toContain('note');
      before = written().length;
      await act();
    },
    view,
  );
  return written().slice(before);
}

test('a view and the text below it, with room for the spinner and for ^C', async () => {
  const shown = terminal(20);
  const widths: number[] = [];
  const view = (columns: number) => {
    widths.push(columns);
    return ['One', 'Two'];
  };
  await viewed(shown, view, () => {});
  expect(shown.written()).toContain(' One\n  Two\n  The note below');
  expect(new Set(widths)).toEqual(new Set([16]));
});

test('words below a view are broken where the terminal ends', async () => {
  const shown = terminal(14);
  await viewed(
    shown,
    () => ['One'],
    () => {},
  );
  expect(shown.written()).toContain(' One\n  The note\n  below');
});

test('of a view that is higher than the terminal, what fits is shown, and the text', async () => {
  const shown = terminal(40, 3);
  await viewed(
    shown,
    () => ['One', 'Two', 'Three', 'Four'],
    () => {},
  );
  expect(shown.written()).toContain(' One\n  Two\n  The note below');
  expect(shown.written()).not.toMatch(/Three|truncated/);
});

test('a view is drawn anew, without being asked', async () => {
  let count = 0;
  const view = () => [`Drawn ${++count} times`];
  const shown = terminal(40);
  await viewed(shown, view, () => expect.poll(shown.written).toContain('Drawn 2 times'));
});

test('a terminal that becomes narrower has broken the lines: all of them are erased', async () => {
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

test('a terminal that becomes wider has no more rows to erase', async () => {
  const shown = terminal(40);
  const view = (columns: number) => ['x'.repeat(columns)];
  const after = await viewed(shown, view, async () => {
    shown.stream.columns = 50;
    shown.stream.emit('resize');
    await expect.poll(shown.written).toContain('x'.repeat(46));
  });
  expect(after).not.toContain('\x1b[J');
});

test('nothing listens to the terminal any more at the end', async () => {
  const shown = terminal(40);
  await viewed(
    shown,
    () => ['One'],
    () => expect(shown.stream.listenerCount('resize')).toBe(1),
  );
  expect(shown.stream.listenerCount('resize')).toBe(0);
});
