import { setImmediate } from 'node:timers/promises';
import type { System } from '../system/system.ts';

/** A terminal's input that can be read key by key. */
interface Keys {
  setRawMode(raw: boolean): unknown;
}

/** Throws away what was typed so far, so that it does not answer a question that nobody has seen. */
export async function discardTyped(stdin: System['stdin']): Promise<void> {
  if (!isKeys(stdin)) return;
  // Otherwise, a line without an end stays with the terminal, and becomes the start of the answer.
  stdin.setRawMode(true);
  const discard = () => {};
  stdin.on('data', discard).resume();
  // What is there is read between these two turns of the event loop.
  await setImmediate();
  await setImmediate();
  stdin.off('data', discard).pause();
}

function isKeys(stdin: object): stdin is Keys {
  return 'setRawMode' in stdin && typeof stdin.setRawMode === 'function';
}
