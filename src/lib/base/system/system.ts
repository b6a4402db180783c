import type { DnsAnswer } from '../../../shared/dns-answer.ts';
import type { Dns, DnsOptions, DnsType } from './dns.ts';
import type { Probes } from './probes.ts';
import type { Pages } from './web-pages.ts';
import type { Transport, TransportOptions } from './wire.ts';

/** A destination for text that may be read on a terminal. */
export interface Output {
  readonly isTTY?: boolean;
  /** Undefined or 0 if unknown. */
  readonly columns?: number;
  /** Calls `done` once the text is taken, or with the reason why it cannot be. */
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

/** What the editor edits, as the extension of its file. */
export type EditedText = 'txt' | 'html';

/** What runs this program. */
interface Runtime {
  /** Version of Node, without `v`; in the executable, the version that Bun emulates. */
  readonly version: string;
  /** Version of Bun in the executable; undefined if Node runs the program. */
  readonly bun?: string | undefined;
  /** Path of Node, or of the executable. */
  readonly executable: string;
  /** The processor it was built for, such as `x64`. */
  readonly arch: string;
}

/** A page for the browser. */
export interface PreviewPages {
  readonly html: string;
  /** The same with remote images, which the page links to as `imagesPage`. */
  readonly withImages?: string | undefined;
}

/** The file of the page with remote images, beside the other one. */
export const imagesPage = 'with-images.html';

/**
 * Everything outside the program that a command may use. `src/cli/real-system.ts` creates the real
 * one; tests create their own, with a clock that they advance.
 */
export interface System {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  /** What runs this program. */
  readonly node: Runtime;
  readonly cwd: string;
  /** Undefined if the user has none. */
  readonly homeDirectory: string | undefined;
  /**
   * The home directory in the system's list of users, regardless of HOME; undefined if it has none.
   */
  readonly accountHome: string | undefined;
  /** The user's id in file owners; undefined if files have no owners. */
  readonly user: number | undefined;
  /** The user's name in the system's list of users; undefined if it has none. */
  readonly userName: string | undefined;
  /** The machine's name, with or without a domain. */
  readonly hostName: string;
  /** IANA name, such as `Europe/Berlin`. */
  readonly timeZone: string;
  readonly stdin: InputStream;
  readonly stdout: Output;
  readonly stderr: OutputStream;
  /** Whether stderr is a terminal. Opening stderr to find out would take a millisecond. */
  readonly stderrIsTerminal: boolean;
  /**
   * Whether values of flags are never file names by mistake, because a program gives them. Nobody looks then whether
   * there is such a file.
   */
  readonly areTextsLiteral?: boolean;
  /** Wall clock time, in milliseconds since 1970. The clock may be changed, even set back. */
  now(): number;
  /**
   * Milliseconds that never go back, to measure time. May leave out time when the machine sleeps.
   */
  monotonic(): number;
  /** Resolves after `ms`. Rejects with the signal's reason on an abort. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** Milliseconds before a spinner appears. Faster work needs none. */
  readonly spinnerDelay: number;
  /** Milliseconds that the conversion of one email may take. */
  readonly conversionTime: number;
  /** At least 0, less than 1. */
  random(): number;
  uuid(): string;
  /** Returns a function that tells whether the process that started this one still runs. */
  watchParent(): () => boolean;
  /** Aborts with a `MailerError` on SIGINT and SIGTERM, with `ClosedPipe` when stdout closes. */
  readonly signal: AbortSignal;
  /** Runs a shell command line and returns its output. Ends it and rejects when `within` aborts. */
  runShell(
    commandLine: string,
    within?: AbortSignal,
  ): Promise<{ stdout: string; exitCode: number }>;
  /**
   * Runs a script in a separate Node process, without keys. The process ends when `signal` aborts.
   */
  startNode(script: string): Promise<NodeProcess>;
  /**
   * Shows a page in the browser and returns its private file. Throws a `UsageError` without a
   * browser.
   */
  openPage(pages: PreviewPages): Promise<string>;
  /** Opens a person's editor and returns the text; undefined if it cannot be started. */
  editText(kind: EditedText): Promise<string | undefined>;
  /** Shows a URL in the browser. Throws like `openPage`. */
  openUrl(url: string): Promise<void>;
  /** Opens a transport to a service over the network. */
  network(options: TransportOptions): Promise<Transport>;
  /** Opens look-ups at DNS servers. */
  dns(options: DnsOptions): Promise<Dns>;
  /** Opens probes of single connection steps. */
  probes(): Promise<Probes>;
  /** Opens requests to public pages. */
  pages(): Promise<Pages>;
  /** Opens the embedded service whose data is in `directory`, for the account of `key` if it has one. */
  sandbox(directory: string, key: string | undefined): Promise<EmbeddedService>;
}

/** A script in a separate process, which reads one line at a time. */
export interface NodeProcess {
  /**
   * The line with which it responds. Rejects with a `UsageError` if it has ended or cannot be
   * started.
   */
  ask(line: string): Promise<string>;
  /** Ends it, even at work. */
  end(): void;
}

/** The embedded service: a function from request to response, and what callers need. */
export interface EmbeddedService {
  readonly transport: Transport;
  readonly baseUrl: string;
  readonly apiKey: string;
  /** The DNS of its domains. */
  readonly dns: {
    /** `server` is the address of one of their name servers. */
    lookUp(name: string, type: DnsType, server?: string): Promise<DnsAnswer>;
  };
  /** A call to a handler of webhooks, as it was last sent; undefined if there is none with this id. */
  sentCall(id: string): SentWebhookCall | undefined;
  /** The newest of these calls, newest first. */
  sentCalls(limit: number): readonly SentWebhookCall[];
  /** Its clock, which may have been advanced: milliseconds since 1970. */
  now(): number;
}

/** A call that the embedded service sent to a handler. */
export interface SentWebhookCall {
  readonly id: string;
  readonly type: string;
  readonly url: string;
  readonly attempt: number;
  /** When it was sent, by the clock of the sandbox; before the first attempt, when it was made. ISO 8601. */
  readonly at: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Null if there was no response. */
  readonly status: number | null;
  /** The beginning of the response, or why there was none. */
  readonly response: string;
}

/** The reason of `System.signal` when the reader of stdout has ended (`| head`). */
export class ClosedPipe extends Error {}
