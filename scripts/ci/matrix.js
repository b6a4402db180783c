// npm run test:matrix: runs the process tests with the program on each supported Node, while the
// toolchain's Node runs the tests; on each older Node, runs the test of the message about that.
//
//   npm run test:matrix                    all versions
//   npm run test:matrix -- 22 24           only these
//   npm run test:matrix -- 22 --quick      without slow tests, see `slow`
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, realpathSync } from 'node:fs';
import { prepare, root, runOrExit, node as toolchain } from '../checkout.js';
import { vitestRun } from '../test/vitest.js';

/**
 * Test files that --quick leaves out: they take most of the time and hardly depend on the version of Node.
 * `npm run test:all` runs all of them on one version.
 */
const slow = {
  'agents/ways-around': 'hundreds of calls of the tools that mcp calls, too',
  'bulk/batch-together': 'up to five processes with one run; batch-lock tests their lock',
  'bulk/killed':
    'kills each kind of run three times; batch-signals ends runs too, and resumes them',
  'bulk/power-cut': 'resumes runs from copies of a disk; batch-signals ends runs too',
  'config/foreign-config': 'the system decides who may write a file, not Node',
  'outbox/killed': 'kills at each step; batch-signals ends runs too, and resumes them',
  'package/{install,setup-mailer}': 'shell scripts, before there is a mailer',
  'programs/{aiosmtpd,shell-quote}': 'the program runs in the tests’ own Node',
  'projects/!(built-program)': 'the program runs in the tests’ own Node',
  'sandbox/store-writers': 'the sandbox runs in the tests’ own Node',
  'terminal/completion': 'types into three shells, which see the same text from every Node',
};

/** Where the Nodes are installed; `npm ci` in the checkout removes them. */
const cache = `${root}node_modules/.cache/nodes`;

const words = process.argv.slice(2);
const quick = words.includes('--quick');
const majors = words.filter((word) => word !== '--quick');
const all = listNodes();
const unknown = majors.filter((major) => !all.some((one) => one.major === major));
if (unknown.length > 0) {
  const known = all.map(({ major }) => major).join(', ');
  process.stderr.write(`There is no ${unknown.join(', ')} among the Nodes: ${known}\n`);
  process.exit(2);
}
const wanted = majors.length === 0 ? all : all.filter(({ major }) => majors.includes(major));

prepare();
install(wanted.filter(({ path }) => path !== toolchain));
const outcomes = wanted.map((one) => ({ ...one, passed: testOn(one) }));
process.stdout.write('\n');
for (const { version, isOld, passed } of outcomes) {
  const what = isOld ? 'too old, and the program says so' : 'the process tests pass';
  process.stdout.write(`Node ${version}: ${passed ? what : 'FAILED'}\n`);
}
process.exitCode = outcomes.every(({ passed }) => passed) ? 0 : 1;

/** The Nodes that scripts/ci/nodes pins and the toolchain's own, oldest first. */
function listNodes() {
  const { dependencies, optionalDependencies } = readJson(`${root}scripts/ci/nodes/package.json`);
  const { devDependencies } = readJson(`${root}package.json`);
  const pinned = (packages, isOld) =>
    Object.entries(packages).map(([name, spec]) => {
      const version = spec.slice(spec.lastIndexOf('@') + 1);
      return { version, isOld, name, path: `${cache}/node_modules/${name}/bin/node` };
    });
  return [
    ...pinned(optionalDependencies, true),
    ...pinned(dependencies, false),
    { version: devDependencies.node, isOld: false, path: toolchain },
  ].map((one) => ({ ...one, major: one.version.split('.')[0] }));
}

/** Installs missing Nodes, as locked. Ends the process on failure. */
function install(nodes) {
  const isMissing = ({ name, version }) => {
    try {
      // Some of these packages write their version with a v.
      const there = readJson(`${cache}/node_modules/${name}/package.json`).version;
      return there.replace(/^v/, '') !== version;
    } catch {
      return true;
    }
  };
  if (!nodes.some(isMissing)) return;
  // The registry has no 22.19.0 for other platforms.
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    process.stderr.write(
      'npm has these Nodes for Linux on x64 only. With one that you have installed:\n' +
        '  MAILER_NODE=/path/to/node npx vitest run test/process\n',
    );
    process.exit(1);
  }
  process.stderr.write('Installing Nodes (once, about 20 seconds)\n');
  mkdirSync(cache, { recursive: true });
  for (const file of ['package.json', 'package-lock.json']) {
    copyFileSync(`${root}scripts/ci/nodes/${file}`, `${cache}/${file}`);
  }
  const needed = nodes.some(({ isOld }) => isOld) ? [] : ['--omit=optional'];
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  // npm rejects the lockfile if the path goes through a link.
  const prefix = realpathSync(cache);
  runOrExit('npm', ['ci', '--prefix', prefix, ...flags, ...needed], { quiet: true });
}

/** Whether the tests for a Node pass. */
function testOn({ version, path, isOld }) {
  process.stdout.write(`\nNode ${version}\n`);
  const files = isOld ? ['test/process/start-up/old-node.test.ts'] : ['test/process/'];
  const leftOut = Object.keys(quick ? slow : {}).map(
    (name) => `--exclude=test/process/${name}.test.ts`,
  );
  const env = isOld ? { OLD_NODE: path } : { MAILER_NODE: path };
  const { status } = spawnSync(toolchain, [...vitestRun, ...files, ...leftOut], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  return status === 0;
}

function readJson(path) {
  return JSON.parse(readFileSync(path, 'utf8'));
}
