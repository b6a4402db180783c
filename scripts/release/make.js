// What npm run release does: makes release/ of the checkout's commit, and publishes nothing. See docs/release.md.
//
//   npm run release                          all files; 1 if one is missing
//   npm run release -- --partial             0 even if files are missing, as long as nothing failed
//   npm run release -- --only amd64.deb      files whose names contain this; may be repeated
//   npm run release -- --repository URL      where it will be published, for the npm package and the formula
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../checkout.js';
import { Missing } from './needed.js';
import { products, sha256 } from './products.js';
import { assertClean, readSource } from './source.js';
import { tableOf } from './table.js';

const { values } = parseArgs({
  options: {
    partial: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true },
    repository: { type: 'string' },
  },
});
const outdir = join(root, 'release');
const work = realpathSync(mkdtempSync(join(tmpdir(), 'mailer-release-')));
process.on('exit', () => rmSync(work, { recursive: true, force: true }));
// Without a listener, a signal would end the process before it cleans up.
for (const name of ['SIGINT', 'SIGTERM']) process.once(name, () => process.exit(1));

try {
  // It becomes a line of a shell script and of a formula.
  if (!/^https:\/\/[\w./-]+$/.test(values.repository ?? 'https://none')) {
    throw new Error('--repository has to be a plain https:// URL.');
  }
  assertClean();
  process.exitCode = await make();
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

/** Makes the files, and prints a line for each when it is done, then the table. Returns the exit code. */
async function make() {
  const source = readSource();
  rmSync(outdir, { recursive: true, force: true });
  mkdirSync(outdir);
  const all = await products({ source, repository: values.repository, outdir, work });
  const rows = [];
  for (const product of all.filter(({ name }) => isWanted(name))) rows.push(made(product));
  const there = rows.filter(({ reason }) => reason === undefined).map(({ name }) => name);
  const sums = there.toSorted().map((name) => `${sha256(join(outdir, name))}  ${name}\n`);
  writeFileSync(join(outdir, 'SHA256SUMS'), sums.join(''));
  rows.push({
    name: 'SHA256SUMS',
    size: statSync(join(outdir, 'SHA256SUMS')).size,
    tested: 'npm run test:release',
    untested: '',
  });
  process.stdout.write(`\nVersion ${source.version} of ${source.commit}\n\n${tableOf(rows)}`);
  const failed = rows.some(({ hasFailed }) => hasFailed);
  return failed || (there.length < rows.length - 1 && !values.partial) ? 1 : 0;
}

/** Makes a file. Returns its row of the table. */
function made({ name, make, ...about }) {
  const path = join(outdir, name);
  try {
    make();
    const size = statSync(path).size;
    process.stdout.write(`${name}\n`);
    return { name, size, ...about };
  } catch (error) {
    if (existsSync(path)) rmSync(path);
    const hasFailed = !(error instanceof Missing);
    const reason = error.message.split('\n')[0];
    process.stdout.write(`${name}: ${hasFailed ? 'failed' : 'missing'}: ${error.message}\n`);
    return { name, reason: `${hasFailed ? 'failed' : 'missing'}: ${reason}`, hasFailed };
  }
}

function isWanted(name) {
  return values.only === undefined || values.only.some((part) => name.includes(part));
}
