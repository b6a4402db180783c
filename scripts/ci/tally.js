// node scripts/ci/tally.js FILE [EXIT-CODE…]: prints what failed according to FILE, which the tally
// reporter writes, and adds up its numbers. If any exit code is not 0 and no test failed, counts one
// failure, such as a check that is no test.
import { readFileSync } from 'node:fs';

const [file, ...exitCodes] = process.argv.slice(2);
const lines = readFileSync(file, 'utf8').trim().split('\n').filter(Boolean);
const failures = lines.filter((line) => line.startsWith('FAIL '));
const tallies = lines.filter((line) => !line.startsWith('FAIL '));
const sum = (word) =>
  tallies.reduce((total, line) => total + Number(RegExp(`(\\d+) ${word}`).exec(line)?.[1] ?? 0), 0);

const hasFailed = exitCodes.some((code) => code !== '0');
const failed = Math.max(sum('failed'), hasFailed ? 1 : 0);
const skipped = sum('skipped');
for (const failure of failures) console.log(failure);
console.log(
  `${sum('passed')} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`,
);
process.exitCode = failed > 0 ? 1 : 0;
