import { type Run, terminalRows } from './terminal-text.ts';

/** A command line as typed, in one or more rows, and its output. */
export interface Scene {
  readonly typed: readonly string[];
  /** With escape sequences for colours. */
  readonly output: string;
}

/** Sizes in pixels. */
const rowHeight = 18;
const fontSize = 13;
/** The width of a character in the requested fonts. */
const charWidth = 7.83;
const margin = 16;

/** Seconds to type a row, to wait for the output, and to read it. */
const typing = 1.2;
const waiting = 0.5;
const reading = 2.2;
/** Seconds for which the whole recording is shown before it starts. */
const holding = 4;

/** The keyframes for rows that appear at one moment. */
interface Moment {
  readonly name: string;
  readonly keyframes: string;
}

/**
 * A recording of a terminal as SVG, without scripts and other files, so that it plays as an image. It starts
 * with the whole session, for stills and prints, and plays in a loop; users who prefer reduced motion see
 * only the whole.
 */
export function recordingSvg(scenes: readonly Scene[], columns: number, title: string): string {
  const duration = scenes.reduce(
    (sum, { typed }) => sum + typed.length * typing + waiting + reading,
    holding,
  );
  const percent = (seconds: number) => `${((seconds / duration) * 100).toFixed(2)}%`;
  const moments: Moment[] = [];
  const rows: string[] = [];
  const draw = (runs: readonly Run[], { name }: Moment) => {
    rows.push(drawnRow(runs, rows.length, name));
  };
  const addMoment = (keyframes: string): Moment => {
    const moment = { name: `m${moments.length}`, keyframes };
    moments.push(moment);
    return moment;
  };
  let at = holding;
  for (const { typed, output } of scenes) {
    for (const [index, text] of typed.entries()) {
      const from = percent(at);
      at += typing;
      const prompt = { text: index === 0 ? '$ ' : '  ', looks: ['dim'] };
      const steps = Math.round(columns / 2);
      const cleared = at - typing > holding ? `${percent(holding)}{clip-path:${none}}` : '';
      const typedThen = `from{clip-path:${whole}}${cleared}${from}{clip-path:${none};animation-timing-function:steps(${steps})}${percent(at)},to{clip-path:${whole}}`;
      draw([prompt, { text, looks: ['bold'] }], addMoment(typedThen));
    }
    at += waiting;
    const shownThen = `from{visibility:visible}${percent(holding)}{visibility:hidden}${percent(at)},to{visibility:visible}`;
    const moment = addMoment(shownThen);
    for (const runs of terminalRows(output.trimEnd())) draw(runs, moment);
    at += reading;
    rows.push('');
  }
  rows.pop();
  const width = Math.ceil(columns * charWidth + 2 * margin);
  const height = rows.length * rowHeight + 2 * margin;
  const lines = [
    '<!-- Made from what the commands print by npm run docs. Do not edit. -->',
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title">`,
    `<title id="title">${escaped(title)}</title>`,
    `<style>${style}`,
    '@media screen and (prefers-reduced-motion:no-preference){',
    `.row{animation:${duration.toFixed(1)}s step-end infinite}`,
    ...moments.map(
      ({ name, keyframes }) => `.${name}{animation-name:${name}}@keyframes ${name}{${keyframes}}`,
    ),
    '}',
    '</style>',
    `<rect class="screen" width="${width}" height="${height}" rx="8"/>`,
    ...rows.filter((row) => row !== ''),
    '</svg>',
  ];
  return `${lines.join('\n')}\n`;
}

/** Clipping of a typed row: all visible, and nothing visible. */
const whole = 'inset(0 -1em 0 0)';
const none = 'inset(0 100% 0 0)';

/** A row that appears at a moment. */
function drawnRow(runs: readonly Run[], row: number, moment: string): string {
  if (runs.every(({ text }) => text === '')) return '';
  const y = margin + row * rowHeight + fontSize;
  const spans = runs.map(({ text, looks }) =>
    looks.length === 0
      ? escaped(text)
      : `<tspan class="${looks.join(' ')}">${escaped(text)}</tspan>`,
  );
  return `<text class="row ${moment}" x="${margin}" y="${y}">${spans.join('')}</text>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

const style = `
.screen{fill:#f6f8fa;stroke:#d1d9e0}
text{font:${fontSize}px ui-monospace,SFMono-Regular,Menlo,"DejaVu Sans Mono","Liberation Mono",monospace;fill:#1f2328;white-space:pre}
.bold{font-weight:600}.dim{fill:#59636e}
.red{fill:#cf222e}.green{fill:#1a7f37}.magenta{fill:#8250df}
@media (prefers-color-scheme:dark){
.screen{fill:#0d1117;stroke:#3d444d}
text{fill:#e6edf3}.dim{fill:#9198a1}
.red{fill:#ff7b72}.green{fill:#3fb950}.magenta{fill:#d2a8ff}
}`;
