import { mkdtempSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable, Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { vi } from 'vitest';
import { run } from '../../src/cli/run.ts';
import { InterruptedError, UsageError } from '../../src/lib/base/errors.ts';
import { cannotBeWritten } from '../../src/lib/base/files/file-errors.ts';
import { unlessAborted } from '../../src/lib/base/system/abort.ts';
import { imagesPage, type System } from '../../src/lib/base/system/system.ts';
import type { WireRequest } from '../../src/lib/base/system/wire.ts';
import { editText } from '../../src/lib/base/terminal/edit-text.ts';
import { startNode } from '../../src/lib/base/terminal/start-node.ts';
import { defaultTimeout as usualDnsTimeout } from '../../src/lib/domains/domain/findings.ts';
import { type DnsEnvironment, openDns } from '../../src/lib/service/http/network/dns-resolver.ts';
import { inProcess } from '../../src/lib/service/http/network/in-process.ts';
import { openProbes } from '../../src/lib/service/http/network/network-probes.ts';
import {
  openPages,
  type PagesEnvironment,
} from '../../src/lib/service/http/network/public-pages.ts';
import { openNetwork } from '../../src/lib/service/http/network/transport.ts';
import { openLocalAccount } from '../../src/local-service/data.ts';
import { languageIn } from '../../src/local-service/start-flags.ts';
import { putExampleData } from './example-data.ts';
import { patience } from './patience.ts';
import type { Person } from './person.ts';
import { collecting, expectPromised } from './promised.ts';

const usualStart = '2026-01-15T10:00:00Z';

/**
 * The clocks of a machine: they stand still until a test or a pause of the program lets time pass, or a test
 * sets the wall clock.
 */
export class Clock {
  /** The wall clock. Setting it lets no time pass. */
  now: number;
  /** Milliseconds that have passed. */
  elapsed = 0;
  /** Pauses the program has made, in milliseconds. */
  readonly pauses: number[] = [];
  /** Makes the pauses last, which end at once otherwise. */
  pausing: (() => Promise<unknown>) | undefined;

  constructor(start = usualStart) {
    this.now = Date.parse(start);
  }

  advance(ms: number): void {
    this.now += ms;
    this.elapsed += ms;
  }
}

/** A machine for a test: home directory, environment, clock. */
export interface World {
  readonly home: string;
  readonly clock: Clock;
  readonly env: Record<string, string>;
  /** Runs one command line. A string is split at spaces. */
  run(words: string | readonly string[], options?: RunOptions): Promise<Outcome>;
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string | Uint8Array | Readable | undefined;
  /** The working directory; the home directory if absent. */
  readonly cwd?: string;
  /** Gets each piece of output as it is written. */
  readonly written?: (piece: Buffer, stream: 'stdout' | 'stderr') => void;
  /** The terminal's columns; stdout and stderr are pipes if absent. */
  readonly terminal?: number;
  /** Who sits at the terminal; nobody if absent. */
  readonly person?: Person;
  readonly signal?: AbortSignal;
  /** Presses Ctrl-C once stdout contains this. */
  readonly until?: string;
  /** Whether stdout is a file on a disk without space. */
  readonly fullDisk?: boolean;
  readonly random?: () => number;
  readonly uuid?: () => string;
  /** Milliseconds that the conversion of one email may take. */
  readonly conversionTime?: number;
  /** Collects opened URLs; there is no browser if absent. */
  readonly browser?: string[];
  /** The version of Node; that of the tests if absent. */
  readonly node?: string;
  /** The platform as the program sees it; Linux if absent. */
  readonly platform?: NodeJS.Platform;
  /** The user who runs the program, instead of the one who runs the tests. */
  readonly account?: { readonly user: number; readonly home?: string };
  /** The name of the machine. */
  readonly hostName?: string;
  /** The path of Node, or of the executable; that of the tests' own Node if absent. */
  readonly executable?: string;
  /** The version of Bun in an executable. */
  readonly bun?: string;
  /** The machine's DNS servers; unreachable if absent. */
  readonly dns?: DnsEnvironment;
  /** The internet for links; no name is known if absent. */
  readonly pages?: PagesEnvironment;
}

/** An internet without names. */
const noPages: PagesEnvironment = {
  lookUp: async (host) => {
    throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: 'ENOTFOUND' });
  },
  isPublic: () => false,
  patience,
};

/** DNS servers that do not respond: nothing listens on port 1. */
const noDns: DnsEnvironment = { machineServers: ['127.0.0.1:1'] };

export interface Outcome {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

export function createWorld(
  env: Readonly<Record<string, string>> = {},
  home = mkdtempSync(join(tmpdir(), 'mailer-test-')),
): World {
  const clock = new Clock();
  const world: World = {
    home,
    clock,
    env: { ...env },
    run: (words, options = {}) => runIn(world, words, options),
  };
  return world;
}

async function runIn(
  { home, clock, env }: World,
  words: string | readonly string[],
  options: RunOptions,
): Promise<Outcome> {
  const ctrlC = new AbortController();
  const { person } = options;
  const stdout = collect('stdout', options, (text) => {
    if (options.until === undefined || !text().includes(options.until)) return;
    ctrlC.abort(new InterruptedError('Interrupted.'));
  });
  if (options.fullDisk === true) {
    stdout.stream._write = (_, __, callback) => {
      const full = Object.assign(new Error('write'), { code: 'ENOSPC', syscall: 'write' });
      ctrlC.abort(cannotBeWritten('stdout', full));
      callback();
    };
  }
  const stderr = collect('stderr', options);
  let uuids = 0;
  const requests: WireRequest[] = [];
  const system: System = {
    env: { ...env, ...options.env },
    platform: options.platform ?? 'linux',
    node: {
      version: options.node ?? process.versions.node,
      bun: options.bun,
      executable: options.executable ?? process.execPath,
      arch: 'x64',
    },
    cwd: options.cwd ?? home,
    homeDirectory: home,
    accountHome: options.account?.home,
    user: options.account?.user ?? process.geteuid?.(),
    userName: 'ana',
    hostName: options.hostName ?? 'laptop',
    timeZone: 'UTC',
    stdin: person?.stdin ?? inputOf(options.stdin),
    stdout: stdout.stream,
    stderr: stderr.stream,
    stderrIsTerminal: stderr.isTerminal,
    now: () => clock.now,
    monotonic: () => clock.elapsed,
    sleep: async (ms, signal) => {
      signal.throwIfAborted();
      clock.pauses.push(ms);
      if (clock.pausing !== undefined) await unlessAborted(signal, clock.pausing());
      clock.advance(ms);
      // What it waits for may be up to the test, or a server in the same process.
      await setImmediate();
      signal.throwIfAborted();
    },
    // What a test reads as bytes has none on a slow machine, too. A person sees through them, or waits for one.
    spinnerDelay: person !== undefined || vi.isFakeTimers() ? 250 : patience,
    conversionTime: options.conversionTime ?? patience,
    random: options.random ?? (() => 0.5),
    uuid:
      options.uuid ??
      (() => `00000000-0000-4000-8000-${String(++uuids).padStart(12, '0')}-${clock.now}`),
    watchParent: () => () => true,
    signal: AbortSignal.any([ctrlC.signal, ...(options.signal ? [options.signal] : [])]),
    runShell: async (commandLine, within) => {
      const { execa } = await import('execa');
      const cancel = within === undefined ? {} : { cancelSignal: within };
      const shell = { shell: true, reject: false, ...cancel } as const;
      const { stdout, exitCode } = await execa(commandLine, shell);
      within?.throwIfAborted();
      return { stdout, exitCode: exitCode ?? 1 };
    },
    startNode: async (script) => startNode(script, system),
    openPage: async ({ html, withImages }) => {
      const path = join(home, 'page.html');
      await writeFile(path, html);
      if (withImages !== undefined) await writeFile(join(home, imagesPage), withImages);
      return path;
    },
    editText: async (kind) => {
      const { env, platform, signal } = system;
      return env.EDITOR ? await editText({ env, platform, signal }, kind, home) : undefined;
    },
    openUrl: async (url) => {
      if (options.browser === undefined) throw new UsageError('xdg-open could not be started');
      options.browser.push(url);
    },
    network: async (network) => collecting(openNetwork(network), requests),
    dns: async ({ timeout, ...dns }) =>
      openDns(
        { ...dns, timeout: timeout === usualDnsTimeout ? dnsPatience : timeout },
        options.dns ?? noDns,
      ),
    probes: async () => openProbes(),
    pages: async () => openPages(options.pages ?? noPages),
    sandbox: async (directory, key) => {
      const isUsual = clock.now === Date.parse(usualStart);
      if (isUsual && system.env.MAILER_SANDBOX_DIR === undefined) {
        putExampleData(directory, clock.now);
      }
      const language = languageIn(system.env.MAILER_SANDBOX_LANGUAGE);
      const options = { directory, now: () => clock.now, language };
      const { sandbox, account } = await openLocalAccount(options, key);
      return {
        apiKey: account.apiKey,
        now: account.now,
        dns: { lookUp: async (...question) => account.lookUp(...question) },
        sentCall: account.sentCall,
        sentCalls: account.sentCalls,
        baseUrl: 'http://sandbox.localhost/api',
        transport: collecting(inProcess(sandbox), requests),
      };
    },
  };
  const argv = typeof words === 'string' ? words.split(' ').filter((word) => word !== '') : words;
  person?.begins((reason) => ctrlC.abort(reason));
  const exitCode = await run(argv, system);
  await person?.ended(exitCode);
  await expectPromised({ argv, requests, exitCode, stdout: stdout.text() });
  return { exitCode, stdout: stdout.text(), stderr: stderr.text() };
}

/** The limit for a DNS server that no flag sets, on this machine. */
const dnsPatience = Math.max(usualDnsTimeout, patience / 12);

function inputOf(content: RunOptions['stdin']) {
  if (content instanceof Readable) return content;
  return content === undefined ? new PassThrough().end() : Readable.from([content]);
}

/** A stream that collects what is written to it, and may be of a terminal. */
function collect(
  name: 'stdout' | 'stderr',
  { terminal, person, written }: RunOptions,
  heard: (text: () => string) => void = () => {},
) {
  const chunks: Buffer[] = [];
  const text = () => Buffer.concat(chunks).toString('utf8');
  const stream = new Writable({
    write(chunk: Buffer, _encoding, callback) {
      chunks.push(chunk);
      show?.(chunk.toString('utf8'));
      written?.(chunk, name);
      heard(text);
      callback();
    },
  });
  const show = person?.takes(name, stream);
  if (terminal !== undefined) Object.assign(stream, { isTTY: true, columns: terminal, ...cursor });
  return { stream, text, isTerminal: terminal !== undefined || show !== undefined };
}

/** The methods of a terminal that a spinner calls between texts. */
const cursor = { clearLine: () => true, cursorTo: () => true, moveCursor: () => true };
