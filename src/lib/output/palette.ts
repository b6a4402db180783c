import { Chalk, type ChalkInstance } from 'chalk';

/** Colours of the 16-colour set only, so that they fit light and dark terminals alike. */
export function createPalette(color: boolean): ChalkInstance {
  return new Chalk({ level: color ? 1 : 0 });
}

const good = /^(SUCCESS|DELIVERED|OPENED|CLICKED|SENT|HEALTHY|EXEMPT|ok|OK)$/;
const bad =
  /^(FAILED|BOUNCED|REJECTED|RENDERING_FAILURE|COMPLAINED|SUPPRESSED|BLOCKED|CRITICAL|missing|wrong)$/;
const waiting =
  /^(PENDING|SCHEDULED|QUEUED|RUNNING|PAUSED|DELIVERY_DELAYED|TEMPORARY_FAILURE|WARNING|SUPERVISED|unknown)$/;

/** A state word in the colour of what it means; unknown words stay plain. */
export function colorStatus(word: string, palette: ChalkInstance): string {
  return colorLike(word, palette)(word);
}

/** Gives a text the colour of a state: a letter or a line that stands for it. */
export function colorLike(word: string, palette: ChalkInstance): (text: string) => string {
  if (good.test(word)) return palette.green;
  if (bad.test(word)) return palette.red;
  if (waiting.test(word)) return palette.yellow;
  return (text) => text;
}
