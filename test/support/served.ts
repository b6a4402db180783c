import { finished, type Place, type ProcessOptions, type Started } from './process.ts';

/** The line that `sandbox start --json` prints. */
export interface Announcement {
  readonly url: string;
  readonly baseUrl: string;
  readonly port: number;
  /** With `--smtp-port`, else 0. */
  readonly smtpPort: number;
  /** With `--dns-port`, else 0. */
  readonly dnsPort: number;
  readonly apiKey: string;
}

/** A sandbox served by another process. */
export interface ServedSandbox extends Announcement {
  readonly process: Started;
  /** The environment with which the program uses it. */
  readonly env: Readonly<Record<string, string>>;
}

/** Starts `sandbox start` on a free port and waits for the line with its URL. */
export async function serveSandbox(
  place: Place,
  words: readonly string[] = ['--port', '0'],
  options?: ProcessOptions,
): Promise<ServedSandbox> {
  const process = place.start(['sandbox', 'start', '--json', ...words], options);
  const announcement = readAnnouncement(await firstLine(process));
  const { baseUrl, apiKey } = announcement;
  return { ...announcement, process, env: { MAILER_BASE_URL: baseUrl, MAILER_API_KEY: apiKey } };
}

/** The first line that a process writes to stdout. Throws with its stderr if there is none. */
export async function firstLine(started: Started): Promise<string> {
  let text = '';
  const line = await new Promise<string | undefined>((resolve) => {
    started.stdout.on('data', (chunk) => {
      text += String(chunk);
      if (text.includes('\n')) resolve(text.slice(0, text.indexOf('\n')));
    });
    started.stdout.on('close', () => resolve(undefined));
  });
  if (line !== undefined) return line;
  const { stderr, exitCode } = await finished(started);
  throw new Error(`no line on stdout; exit code ${exitCode}, stderr: ${stderr}`);
}

export function readAnnouncement(line: string): Announcement {
  const value: unknown = JSON.parse(line);
  if (
    typeof value !== 'object' ||
    value === null ||
    !('url' in value && typeof value.url === 'string') ||
    !('baseUrl' in value && typeof value.baseUrl === 'string') ||
    !('port' in value && typeof value.port === 'number') ||
    !('apiKey' in value && typeof value.apiKey === 'string')
  ) {
    throw new TypeError(`not what sandbox start --json says: ${line}`);
  }
  const { url, baseUrl, port, apiKey } = value;
  const portIn = (other: unknown) => (typeof other === 'number' ? other : 0);
  return {
    url,
    baseUrl,
    port,
    smtpPort: portIn('smtpPort' in value && value.smtpPort),
    dnsPort: portIn('dnsPort' in value && value.dnsPort),
    apiKey,
  };
}
