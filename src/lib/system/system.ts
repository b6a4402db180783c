import type { Dns, DnsOptions } from './dns.ts';
import type { Pages } from './pages.ts';
import type { Probes } from './probes.ts';
import type { Transport, TransportOptions } from './wire.ts';

/** Where text goes that may be read on a terminal. */
export interface Output {
  readonly isTTY?: boolean;
  /** Undefined or 0 where that is not known. */
  readonly columns?: number;
  /** `done` is called once the text was taken, or with the reason why it cannot be. */
  write(text: string, done: (error?: Error | null) => void): unknown;
}

/** A writable stream that may be a terminal. */
export interface OutputStream extends NodeJS.WritableStream {
  isTTY?: boolean;
  columns?: number;
  rows?: number;
}

/** A readable stream that may be a terminal. */
interface InputStream extends NodeJS.ReadableStream {
  isTTY?: boolean;
}

/** What a text in an editor is, as its file name says. */
export type EditedText = 'txt' | 'html';

/** What runs this program. */
interface Runtime {
  /** Version of Node, without `v`; in the executable, of the one that Bun stands in for. */
  readonly version: string;
  /** Version of the Bun that is in the executable; undefined where Node runs the program. */
  readonly bun?: string | undefined;
  /** Path of Node, or of the executable. */
  readonly executable: string;
}

/**
 * Everything outside the program that a command may touch. `src/cli/real-system.ts` makes the real one;
 * tests make their own, with a clock that they move.
 */
export interface System {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  /** What runs this program. */
  readonly node: Runtime;
  readonly cwd: string;
  /** Undefined where the user has none. */
  readonly homeDirectory: string | undefined;
  /** The home directory in the system's list of users, whatever HOME is; undefined where it has none. */
  readonly accountHome: string | undefined;
  /** The user's id, as files have it; undefined where they have no owners to look at. */
  readonly user: number | undefined;
  /** The user's name in the system's list of users; undefined where it has none. */
  readonly userName: string | undefined;
  /** The name of the machine, with or without a domain. */
  readonly hostName: string;
  /** IANA name, such as `Europe/Berlin`. */
  readonly timeZone: string;
  readonly stdin: InputStream;
  readonly stdout: Output;
  readonly stderr: OutputStream;
  /** Whether stderr is a terminal; it is not opened to find out, which takes a millisecond. */
  readonly stderrIsTerminal: boolean;
  /** The clock on the wall, in milliseconds since 1970. It may be set, back too. */
  now(): number;
  /** Milliseconds, which only grow, to measure time; time that the machine sleeps may be missing. */
  monotonic(): number;
  /** Resolves after `ms`; rejects with the signal's reason as soon as that is aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** From 0 up to, not including, 1. */
  random(): number;
  uuid(): string;
  /** Aborted with a `MailerError` on SIGINT and SIGTERM, with `ClosedPipe` when stdout closes. */
  readonly signal: AbortSignal;
  /** Runs a shell command line and returns its output. Ends it and rejects once `within` is aborted. */
  runShell(
    commandLine: string,
    within?: AbortSignal,
  ): Promise<{ stdout: string; exitCode: number }>;
  /** Runs a script in a Node process of its own, which gets no keys and ends once `signal` is aborted. */
  startNode(script: string): Promise<NodeProcess>;
  /** Shows a page in the browser and returns its private file; a `UsageError` without a browser. */
  openPage(html: string): Promise<string>;
  /** Has a person write a text in their editor; undefined when it cannot be started. */
  editText(kind: EditedText): Promise<string | undefined>;
  /** Shows the page of a URL in the browser. Throws as `openPage` does. */
  openUrl(url: string): Promise<void>;
  /** Opens the way to a service over the network. */
  network(options: TransportOptions): Promise<Transport>;
  /** Opens the way to DNS servers. */
  dns(options: DnsOptions): Promise<Dns>;
  /** Opens the way to single links of a connection. */
  probes(): Promise<Probes>;
  /** Opens the way to public pages. */
  pages(): Promise<Pages>;
  /** Opens the embedded service whose data is in `directory`. */
  sandbox(directory: string): Promise<EmbeddedService>;
}

/** A script in a process of its own, to which one line at a time is written. */
export interface NodeProcess {
  /** The line that it replies with. Rejects with a `UsageError` when it has ended, or cannot be started. */
  ask(line: string): Promise<string>;
  /** Ends it, whatever it does. */
  end(): void;
}

/** The embedded service: a function from request to response, and what is needed to call it. */
export interface EmbeddedService {
  readonly transport: Transport;
  readonly baseUrl: string;
  readonly apiKey: string;
  /** The DNS of its domains. */
  readonly dns: Pick<Dns, 'lookUp'>;
  /** Its clock, which may have been moved: milliseconds since 1970. */
  now(): number;
}

/** The reason of `System.signal` when the reader of stdout has ended (`| head`). */
export class ClosedPipe extends Error {}
