import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { startCountServer } from '../../bench/lib/count-server.ts';
import { startPageServer } from '../../bench/lib/page-server.ts';
import {
  createPlace,
  isAnother,
  type Place,
  program,
  root,
  temporaryDirectory,
} from '../support/process.ts';

const file = join(root, 'bench', 'run.ts');
const benches = [
  'startup',
  'send',
  'sandbox-inbox',
  'list-all',
  'bulk-rate',
  'bulk-memory',
  'bulk-continue',
  'bulk',
];
const header = / +MEDIAN +RANGE +PER S +BASELINE +MEDIAN +RATIO +AT MOST/;

beforeEach(({ skip }) => skip(isAnother, 'it measures the built program only'));

test('npm run bench measures, and prints a ratio for everything it has measured', async () => {
  const { exitCode, stdout, stderr } = await createPlace().run('--quick list-all', { file });
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
  const [first = '', , heading, ...lines] = stdout.trimEnd().split('\n');
  expect(first).toMatch(new RegExp(`^${header.source}$`));
  expect(heading).toMatch(/^list-all: .* 200 emails, .* \(1 run\)$/);
  for (const format of ['TSV', '--jsonl', '--json', '--csv', '--quiet']) {
    expect(stdout).toMatch(
      new RegExp(`^${format}, all rows +[\\d.]+ m?s .* [\\d,]+ +plain loop +[\\d.]+ m?s +\\d`, 'm'),
    );
    expect(stdout).toMatch(
      new RegExp(
        `^${format}, peak memory +\\d+ MiB .* 100 rows +\\d+ MiB +\\d\\.\\d\\d\n +plain loop +\\d+ MiB +\\d`,
        'm',
      ),
    );
  }
  for (const line of lines) expect(line).toMatch(/ \d+\.\d\d$/);
});

test.each([
  ['bulk', /^all rows .* +[\d,]+ +loop of emails\.batch .*\n.*\n +undici, ready bodies /m],
  ['bulk-memory', /^1,000 rows +\d+ MiB/m],
  ['bulk-continue', /^first request +[\d.]+ m?s/m],
  ['bulk-rate', /^429 responses +\d+ .* 100 requests .* 0\.\d\d$/m],
  ['sandbox-inbox', /^API, last page +[\d.]+ m?s .*\n +100 messages +[\d.]+ m?s +\d/m],
  ['send', /^mailer email send +[\d.]+ m?s .* script with usesend-js +[\d.]+ m?s +\d/m],
])('%s measures what it is named after', async (name, figure) => {
  const { exitCode, stdout, stderr } = await createPlace().run(`--quick ${name}`, { file });
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
  expect(stdout).toMatch(figure);
});

test('startup measures each start beside that of an empty Node process', async () => {
  const { exitCode, stdout, stderr } = await createPlace().run('--quick startup', { file });
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
  for (const words of ['--version', '--help', 'completion bash', 'domain list --json']) {
    expect(stdout).toMatch(
      new RegExp(`^mailer ${words} +[\\d.]+ m?s .* node -e 0 +[\\d.]+ m?s +\\d`, 'm'),
    );
  }
});

/** A copy of the benches, with a single one, in a place of its own. */
function withBench(
  body: string,
  env: Readonly<Record<string, string>> = {},
): Place & { readonly file: string } {
  const place = createPlace(env);
  const copy = join(place.home, 'bench');
  cpSync(join(root, 'bench'), copy, { recursive: true });
  for (const name of benches) rmSync(join(copy, `${name}.ts`));
  writeFileSync(
    join(copy, 'made-up.ts'),
    `import { findResend } from './lib/resend-cli.ts';
     import { timeOf } from './lib/time-of.ts';
     export const bench = { summary: () => 'made up', run: async ({ quick }) => { ${body} } };`,
  );
  return { ...place, file: join(copy, 'run.ts') };
}

const baselines = [{ name: 'standing still', measured: [10] }];
const fast = { what: 'fast', unit: 'ms', measured: [9, 30, 10], baselines };

test.each([
  [3, 1, '  made-up, slow: 3.00 of standing still, at most 2.00\n'],
  [2, 0, ''],
])('a figure of %i where 2 is good: it ends with %i', async (ratio, exitCode, missed) => {
  const slow = { measured: [10 * ratio], baselines: [{ ...baselines[0], atMost: 2 }] };
  const figures = [{ ...fast, what: 'slow', ...slow }, fast];
  const place = withBench(`return ${JSON.stringify(figures)}`);
  const outcome = await place.run('', place);
  expect(outcome.exitCode).toBe(exitCode);
  expect(outcome.stdout).toMatch(/^slow .*2\.00 (met|missed)$/m);
  expect(outcome.stderr).toBe(
    `made-up: made up\n${missed === '' ? '' : `Missed goals:\n${missed}`}`,
  );
});

test('a line has the median, the range and what was done in a second', async () => {
  const several = [...baselines, { name: 'a long walk', measured: [8000, 4000], atMost: 0.5 }];
  const figures = [
    { ...fast, amount: 12 },
    { ...fast, what: 'long', measured: [900, 2100], baselines: several },
    { ...fast, what: 'large', unit: 'KiB', measured: [2048], baselines },
  ];
  const place = withBench(`return ${JSON.stringify(figures)}`);
  const { stdout } = await place.run('', place);
  expect(stdout).toBe(`       MEDIAN  RANGE           PER S  BASELINE        MEDIAN   RATIO  AT MOST

made-up: made up (1 to 3 runs)
fast    10 ms  9 to 30 ms      1,200  standing still   10 ms    1.00
long   1.50 s  0.90 to 2.10 s         standing still   10 ms  150.00
                                      a long walk     6.00 s    0.25  0.50 met
large   2 MiB  2 to 2 MiB             standing still   0 MiB  204.80
`);
});

test('the servers keep idle connections, however long', async () => {
  const [pages, counts] = [await startPageServer(), await startCountServer()];
  onTestFinished(() => {
    pages.close();
    counts.close();
  });
  for (const baseUrl of [pages.baseUrl(100), counts.baseUrl('mailer')]) {
    const reply = await fetch(`${baseUrl}/v1/emails?page=1&limit=50`);
    await reply.text();
    expect(reply.status).toBe(200);
    // One that closes them says after how many seconds.
    expect(reply.headers.get('keep-alive')).toBeNull();
  }
});

test('a bench that is not there is named', async () => {
  const { exitCode, stdout, stderr } = await createPlace().run('nothing', { file });
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
  expect(stderr).toContain(`no bench nothing; there are: ${benches}`);
});

describe('docs/performance.md', () => {
  const page = readFileSync(join(root, 'docs', 'performance.md'), 'utf8');
  const parts = page.split(/^## /m).slice(1);

  test.each(benches)('has a block for %s, as the bench prints it', (name) => {
    const named = parts.filter((part) =>
      /^.*/.exec(part)?.[0].endsWith(`\`npm run bench -- ${name}\``),
    );
    expect(named).toHaveLength(1);
    const blocks = [...(named[0] ?? '').matchAll(/^```text\n([\s\S]*?)^```$/gm)];
    expect(blocks).toHaveLength(1);
    const block = blocks[0]?.[1] ?? '';
    if (block === 'Not measured yet.\n') return;
    const [conditions, , head, , heading] = block.split('\n');
    expect(conditions).toMatch(
      /^\d+ [A-Z][a-z]+ \d{4}, \d+ cores? of .*, \d+ GiB, .*, Node [\d.]+$/,
    );
    expect(head).toMatch(header);
    expect(heading).toMatch(new RegExp(`^${name}: .* \\([\\d to]+ runs?\\)$`));
    expect(Math.max(...block.split('\n').map((line) => line.length))).toBeLessThanOrEqual(120);
  });

  test('has nothing else', () => {
    expect(parts).toHaveLength(benches.length);
  });

  test('--write puts what was measured into it', async () => {
    const place = withBench(`return ${JSON.stringify([fast])}`);
    const path = join(place.home, 'docs', 'performance.md');
    mkdirSync(join(place.home, 'docs'));
    const before = '# Page\n\n## Other: `npm run bench -- made`\n\n```text\nold\n```\n\n';
    const after = '```\n\nText.\n\n```text\nanother\n```\n';
    const start = '## This: `npm run bench -- made-up`\n\nText.\n\n```text\n';
    writeFileSync(path, `${before}${start}old\n\n$& old\n${after}`);
    const { exitCode, stdout, stderr } = await place.run('--write', place);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: 'made-up: made up\n' });
    const written = readFileSync(path, 'utf8');
    expect(written.startsWith(`${before}${start}`)).toBe(true);
    expect(written.endsWith(`\n\n${stdout}${after}`)).toBe(true);
    expect(written).not.toContain('$&');
    expect(written).toMatch(/^\d+ [A-Z][a-z]+ \d{4}, .*, Node [\d.]+\n\n +MEDIAN/m);
  });

  test('--write fails where there is no block for it', async () => {
    const place = withBench(`return ${JSON.stringify([fast])}`);
    mkdirSync(join(place.home, 'docs'));
    const page = '## `npm run bench -- made-up`\n\n## Another\n\n```text\nold\n```\n';
    writeFileSync(join(place.home, 'docs', 'performance.md'), page);
    const { exitCode, stderr } = await place.run('--write', place);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('has no block for made-up');
    expect(readFileSync(join(place.home, 'docs', 'performance.md'), 'utf8')).toBe(page);
  });
});

describe('resend-cli', () => {
  /** Prints what it would be given, as the real one does for what is listed. */
  const program = `console.log(process.argv.slice(2).join(' '), process.env.RESEND_BASE_URL,
    process.env.RESEND_TELEMETRY_DISABLED);`;
  const use = `
    const resend = findResend('http://127.0.0.1:1', quick);
    if (resend) await timeOf(resend(['domains', 'list'], 'domains list http://127.0.0.1:1 1'));
    return ${JSON.stringify([fast])};`;
  const intro = 'made-up: made up\n';

  /** A registry that has a package of this name and nothing else; the requests it gets. */
  async function startRegistry(place: Place): Promise<{ url: string; requests: string[] }> {
    const folder = join(place.home, 'package');
    mkdirSync(join(folder, 'dist'), { recursive: true });
    const manifest = { name: 'resend-cli', version: '2.21.0' };
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
    writeFileSync(join(folder, 'dist', 'cli.cjs'), program);
    spawnSync('tar', ['-czf', 'package.tgz', 'package'], { cwd: place.home });
    const tarball = readFileSync(join(place.home, 'package.tgz'));
    const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
    const requests: string[] = [];
    const server = createServer((request, response) => {
      requests.push(request.url ?? '');
      if (request.url === '/package.tgz') return response.end(tarball);
      const dist = { tarball: `http://${request.headers.host}/package.tgz`, integrity };
      return response.end(
        JSON.stringify({
          name: 'resend-cli',
          'dist-tags': { latest: '2.21.0' },
          versions: { '2.21.0': { ...manifest, dist } },
        }),
      );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    return { url: `http://127.0.0.1:${address.port}/`, requests };
  }

  test('is installed once, and run with its telemetry off', async () => {
    const place = withBench(use);
    const { url, requests } = await startRegistry(place);
    const env = { npm_config_registry: url };
    const installing = `${intro}  installing resend-cli 2.21.0 (once)\n`;
    const first = await place.run('', { ...place, env });
    expect(first).toMatchObject({ exitCode: 0, stderr: installing });
    expect(requests).toEqual(['/resend-cli', '/package.tgz']);
    const second = await place.run('', { ...place, env });
    expect(second).toMatchObject({ exitCode: 0, stderr: intro });
    expect(requests).toHaveLength(2);
  });

  test('is left out without a network, which is said', async () => {
    const place = withBench(use);
    const env = { npm_config_registry: 'http://127.0.0.1:9/' };
    const { exitCode, stdout, stderr } = await place.run('', { ...place, env });
    expect({ exitCode, stderr }).toEqual({
      exitCode: 0,
      stderr:
        `${intro}  installing resend-cli 2.21.0 (once)\n` +
        '  resend-cli is left out: npm could not install it (ECONNREFUSED)\n',
    });
    expect(stdout).toContain('fast');
  });

  test('is not installed by a quick run', async () => {
    const place = withBench(use);
    const { url, requests } = await startRegistry(place);
    const env = { npm_config_registry: url };
    const { exitCode, stderr } = await place.run('--quick', { ...place, env });
    expect({ exitCode, stderr }).toEqual({
      exitCode: 0,
      stderr: `${intro}  resend-cli is left out: a quick run installs nothing\n`,
    });
    expect(requests).toEqual([]);
  });

  test('is a failure when it does not do what it is measured for', async () => {
    const place = withBench(use.replace("1 1'", "1 2'"));
    const { url } = await startRegistry(place);
    const outcome = await place.run('', { ...place, env: { npm_config_registry: url } });
    expect(outcome.exitCode).toBe(1);
    expect(outcome.stderr).toContain('domains list printed: domains list http://127.0.0.1:1 1');
  });
});

describe('nothing is left of a bench', () => {
  const serverThen = (what: string) => `
    const { temporaryDirectory } = await import('./lib/directories.ts');
    const { startServer } = await import('./lib/measure.ts');
    const words = ['sandbox', 'start', '--port=0', '--json'];
    const file = ${JSON.stringify(program)};
    const env = { MAILER_SANDBOX_DIR: temporaryDirectory() };
    const { line } = await startServer({ file, words, env });
    process.stdout.write(line + '\\n');
    ${what}`;

  test.each([
    ['fails', "throw new Error('as it should');", undefined],
    ['is interrupted', 'await new Promise(() => {});', 'SIGINT'],
    ['is terminated', 'await new Promise(() => {});', 'SIGTERM'],
  ] as const)('that %s: no files, and no server', async (_, what, signal) => {
    const temporary = temporaryDirectory();
    const place = withBench(serverThen(what), { TMPDIR: temporary });
    const started = place.start('', place);
    let url = '';
    for await (const line of started) {
      // What the program says of itself, which its tests check.
      ({ url } = JSON.parse(line) as { readonly url: string });
      if (signal !== undefined) started.kill(signal);
    }
    expect((await started).exitCode).not.toBe(0);
    expect(readdirSync(temporary)).toEqual([]);
    await expect(fetch(url)).rejects.toThrow('fetch failed');
  });
});
