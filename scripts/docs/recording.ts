import { type Run, terminalRows } from './terminal-text.ts';

/** A command line as it was typed, in one row or several, and what it printed. */
export interface Scene {
  readonly typed: readonly string[];
  /** With colours for a terminal. */
  readonly output: string;
}

/** Sizes in pixels. */
const rowHeight = 18;
const fontSize = 13;
/** Of one character, in the fonts that are asked for. */
const charWidth = 7.83;
const margin = 16;

/** Seconds: what it takes to type a command, to wait for what it prints, and to read that. */
const typing = 1.2;
const waiting = 0.5;
const reading = 2.2;

/**
 * A recording of a terminal as SVG: without scripts and other files, so that it plays as an image.
 * It plays once and then stays as it is; who asks for less motion sees the end at once.
 */
export function recordingSvg(scenes: readonly Scene[], columns: number, title: string): string {
  const rows: string[] = [];
  let at = 0;
  for (const { typed, output } of scenes) {
    for (const [index, text] of typed.entries()) {
      const prompt = index === 0 ? '$ ' : '  ';
      const runs = [
        { text: prompt, looks: ['dim'] },
        { text, looks: ['bold'] },
      ];
      rows.push(drawnRow(runs, rows.length, at, columns, typing));
      at += typing;
    }
    at += waiting;
    for (const runs of terminalRows(output.trimEnd())) {
      rows.push(drawnRow(runs, rows.length, at, columns));
    }
    at += reading;
    // An empty row between two commands.
    rows.push('');
  }
  rows.pop();
  const width = Math.ceil(columns * charWidth + 2 * margin);
  const height = rows.length * rowHeight + 2 * margin;
  const lines = [
    '<!-- Made from what the commands print by npm run docs. Do not edit. -->',
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title">`,
    `<title id="title">${escaped(title)}</title>`,
    `<style>${style}</style>`,
    `<rect class="screen" width="${width}" height="${height}" rx="8"/>`,
    ...rows.filter((row) => row !== ''),
    '</svg>',
  ];
  return `${lines.join('\n')}\n`;
}

/** A row that appears at `at` seconds; one that is typed does so from left to right. */
function drawnRow(
  runs: readonly Run[],
  row: number,
  at: number,
  columns: number,
  typed?: number,
): string {
  if (runs.every(({ text }) => text === '')) return '';
  const y = margin + row * rowHeight + fontSize;
  const spans = runs.map(({ text, looks }) =>
    looks.length === 0
      ? escaped(text)
      : `<tspan class="${looks.join(' ')}">${escaped(text)}</tspan>`,
  );
  const delay = `animation-delay:${at.toFixed(1)}s`;
  const how =
    typed === undefined
      ? `class="row" style="${delay}"`
      : `class="row typed" style="${delay};animation-duration:${typed}s;animation-timing-function:steps(${Math.round(columns / 2)})"`;
  return `<text ${how} x="${margin}" y="${y}">${spans.join('')}</text>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

const style = `
.screen{fill:#f6f8fa;stroke:#d1d9e0}
text{font:${fontSize}px ui-monospace,SFMono-Regular,Menlo,"DejaVu Sans Mono","Liberation Mono",monospace;fill:#1f2328;white-space:pre}
.bold{font-weight:600}.dim{fill:#59636e}
.red{fill:#cf222e}.green{fill:#1a7f37}.yellow{fill:#7d4e00}.cyan{fill:#0e7490}
.row{animation:shown 0s both}
.typed{animation-name:typed}
@keyframes shown{from{visibility:hidden}to{visibility:visible}}
@keyframes typed{from{clip-path:inset(0 100% 0 0)}90%,to{clip-path:inset(0 -1em 0 0)}}
@media (prefers-color-scheme:dark){
.screen{fill:#0d1117;stroke:#3d444d}
text{fill:#e6edf3}.dim{fill:#9198a1}
.red{fill:#ff7b72}.green{fill:#3fb950}.yellow{fill:#d29922}.cyan{fill:#39c5cf}
}
@media (prefers-reduced-motion:reduce){.row{animation:none}}
`;
