import { expect, test } from 'vitest';
import { write } from '../../../../src/lib/base/terminal/write.ts';

test('output that is taken at once can be stopped between two pieces', async () => {
  const stop = new AbortController();
  const written: string[] = [];
  const file = {
    write(text: string, done: () => void) {
      written.push(text);
      done();
    },
  };
  const writing = async () => {
    for (let piece = 0; piece < 1000; piece++) await write(file, `${piece}\n`, stop.signal);
  };
  setImmediate(() => stop.abort(new Error('stopped')));
  await expect(writing()).rejects.toThrow('stopped');
  expect(written).toContain('0\n');
});
