type Paint = (text: string) => string;

/**
 * Those of the 16 colours that are readable on white and on black, so not yellow, cyan or blue.
 * Magenta is bold, because some palettes have it dark. The weakest is green on white: its contrast
 * is 2.2 with xterm's palette, and above 3 with those of GNOME, macOS, Windows and VS Code; bold
 * would make it lighter. So a colour never says more than its word.
 */
export type Palette = Readonly<Record<'bold' | 'dim' | 'green' | 'red' | 'magenta', Paint>>;

const unpainted: Paint = (text) => text;

/** Leaves text unchanged. */
export const plainPalette: Palette = {
  bold: unpainted,
  dim: unpainted,
  green: unpainted,
  red: unpainted,
  magenta: unpainted,
};

/** The palette with or without colours. Only colours need chalk. */
export async function createPalette(color: boolean): Promise<Palette> {
  if (!color) return plainPalette;
  const { Chalk } = await import('chalk');
  const { bold, dim, green, red } = new Chalk({ level: 1 });
  return { bold, dim, green, red, magenta: bold.magenta };
}

const good = /^(SUCCESS|DELIVERED|OPENED|CLICKED|SENT|HEALTHY|EXEMPT|ok|OK)$/;
const bad =
  /^(FAILED|BOUNCED|REJECTED|RENDERING_FAILURE|COMPLAINED|SUPPRESSED|BLOCKED|CRITICAL|missing|wrong)$/;
const waiting =
  /^(PENDING|SCHEDULED|QUEUED|RUNNING|PAUSED|DELIVERY_DELAYED|TEMPORARY_FAILURE|WARNING|SUPERVISED|unknown)$/;

/** A status in the colour of its meaning. Unknown ones stay plain. */
export function colorStatus(word: string, palette: Palette): string {
  return colorLike(word, palette)(word);
}

/** The colour of a status, for a letter or a line that stands for it. */
export function colorLike(word: string, palette: Palette): Paint {
  if (good.test(word)) return palette.green;
  if (bad.test(word)) return palette.red;
  if (waiting.test(word)) return palette.magenta;
  return unpainted;
}
