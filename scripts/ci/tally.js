// node scripts/ci/tally.js FILE [EXIT-CODE…]: adds up the lines of the tally reporter in FILE. If any exit
// code is not 0 and no test failed, counts one failure, such as a check that is no test.
import { readFileSync } from 'node:fs';

const [file, ...exitCodes] = process.argv.slice(2);
const lines = readFileSync(file, 'utf8').trim().split('\n').filter(Boolean);
const sum = (word) =>
  lines.reduce((total, line) => total + Number(RegExp(`(\\d+) ${word}`).exec(line)?.[1] ?? 0), 0);

const hasFailed = exitCodes.some((code) => code !== '0');
const failed = Math.max(sum('failed'), hasFailed ? 1 : 0);
const skipped = sum('skipped');
console.log(
  `${sum('passed')} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`,
);
process.exitCode = failed > 0 ? 1 : 0;
