// Simulates histories of bulk runs on failing disks and networks, and checks what mailer promises:
//   npm run prove -- --minutes 10          for this many minutes on each processor
//   npm run prove -- --histories 1000      this many in each of as many processes
//   npm run prove -- --seed 7              other histories
//   npm run prove -- --history '{…}'       one history, step by step
//   npm run prove -- --defects             whether it finds the defects of test/simulation/defects.ts
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string' },
    seconds: { type: 'string', default: '60' },
    histories: { type: 'string' },
    seed: { type: 'string', default: '1' },
    history: { type: 'string' },
    defects: { type: 'boolean', default: false },
    processes: { type: 'string', default: String(availableParallelism()) },
  },
});
const seconds = values.minutes === undefined ? Number(values.seconds) : 60 * Number(values.minutes);
const processes = Number(values.processes);
/** When a process has tried enough. */
const limit =
  values.histories === undefined
    ? ['--seconds', String(seconds)]
    : ['--histories', values.histories];

/** Runs the simulation in a separate process; its last line is JSON. */
function simulate(...args) {
  const program = new URL('../test/simulation/prove.ts', import.meta.url).pathname;
  // Objects live only as long as a history, hence the large young generation; and the compile cache helps,
  // because each defect has a process that loads the same files.
  const flags = ['--no-warnings', '--max-semi-space-size=32'];
  const cache = new URL('../node_modules/.cache/simulation', import.meta.url).pathname;
  const child = spawn(process.execPath, [...flags, program, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_COMPILE_CACHE: cache },
  });
  let text = '';
  child.stdout.on('data', (piece) => {
    text += piece;
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (exitCode) => resolve({ exitCode, text }));
  });
}

function resultOf({ exitCode, text }) {
  const last = text.trimEnd().split('\n').at(-1) ?? '';
  if (!last.startsWith('{')) throw new Error(`The simulation ended with ${exitCode}: ${text}`);
  return JSON.parse(last);
}

const sum = (numbers) => numbers.reduce((one, other) => one + other, 0);

/** How to replay a history that breaks a promise. */
function replay({ history, violations }) {
  const line = `npm run prove -- --history '${JSON.stringify(history)}'`;
  return [...new Set(violations), '', 'To see it happen:', line].join('\n');
}

async function search() {
  const args = [...limit, '--seed', values.seed];
  const parts = Array.from({ length: processes }, (_, index) =>
    simulate(...args, '--part', `${index + 1}/${processes}`),
  );
  const results = (await Promise.all(parts)).map(resultOf);
  const all = (name) => sum(results.map((result) => result[name]));
  console.log(
    `${all('one')} of ${all('ones')} small histories with one trouble, ${all('two')} with two, ${all('random')} random ones; ${all('states')} states of disk and service; seed ${values.seed}`,
  );
  const found = results.flatMap((result) => result.found ?? []);
  for (const one of found) console.log(`\nA promise is broken:\n${replay(one)}`);
  return found.length === 0;
}

async function findDefects() {
  const { defects } = await import('../test/simulation/defects.ts');
  let missed = 0;
  let found = 0;
  const waiting = [...defects.entries()];
  const worker = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [index, { what }] = next;
      const args = ['--defect', String(index), ...limit, '--seed', values.seed];
      const result = resultOf(await simulate(...args));
      const histories = result.one + result.two + result.random;
      if (result.found === undefined) missed++;
      found += result.seconds;
      const outcome = result.found === undefined ? 'NOT FOUND in' : 'found in';
      console.log(`${outcome} ${result.seconds} s, ${histories} histories: ${what}`);
    }
  };
  await Promise.all(Array.from({ length: processes }, worker));
  console.log(
    `${defects.length - missed} of ${defects.length} defects found in ${Math.round(found)} s`,
  );
  return missed === 0;
}

if (values.history !== undefined) {
  const { exitCode, text } = await simulate('--history', values.history);
  console.log(text.trimEnd());
  process.exitCode = exitCode;
} else {
  process.exitCode = (await (values.defects ? findDefects() : search())) ? 0 : 1;
}
