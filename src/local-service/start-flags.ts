import { UsageError } from '../lib/base/errors.ts';
import { parseChoice } from '../lib/base/input/choice.ts';
import {
  type Fault,
  FaultSyntaxError,
  faultForm,
  parseDelay,
  parseFault,
} from '../sandbox/http/faults/fault.ts';
import { type Language, languages } from '../sandbox/http/language.ts';
import { parseRateLimit } from '../sandbox/http/rate-limit.ts';
import { readSmtpUrl, type SmtpUrl } from '../sandbox/mail/deliver/smtp-url.ts';

/** Reads a name as in a Host header, without a port. */
export function hostName(name: string): string {
  const isName = /^([a-z0-9_-]+(\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])$/i.test(name);
  const host = isName ? URL.parse(`http://${name}`)?.hostname : undefined;
  if (host !== undefined) return host;
  throw new UsageError(`--allow-host: "${name}" is not the name of a host`, {
    hint: 'Give the name alone, such as mail, without http:// or port.',
  });
}

/** The faults of `--fault`. Each must have a path of the sandbox. */
export async function readFaults(texts: readonly string[]): Promise<Fault[]> {
  const { readFault } = await import('../sandbox/http/faults/read-fault.ts');
  try {
    return texts.map(readFault);
  } catch (error) {
    if (!(error instanceof FaultSyntaxError)) throw error;
    throw new UsageError(`--fault: ${error.message}`, { hint: faultForm, cause: error });
  }
}

/** The fault of `--latency`. */
export function readLatency(text: string): Fault[] {
  if (parseDelay(text) === undefined) {
    throw new UsageError(`--latency: "${text}" is not a time up to 1h, such as 200ms or 2s`);
  }
  return [parseFault(`* * delay ${text}`)];
}

/** The requests per second of `--rate-limit`. */
export function readRateLimit(text: string): number {
  const perSecond = parseRateLimit(text);
  if (perSecond !== undefined) return perSecond;
  throw new UsageError(`--rate-limit: "${text}" is not a number of requests, such as 2/s`);
}

/** The language that `MAILER_SANDBOX_LANGUAGE` names; undefined if it is not set. */
export function languageIn(variable = ''): Language | undefined {
  const text = variable.trim();
  return text === '' ? undefined : parseChoice('MAILER_SANDBOX_LANGUAGE', languages)(text);
}

/** The SMTP server that a flag or the environment names. The URL may hold a password: errors omit it. */
export function smtpServerOf(
  byFlag: string | undefined,
  byEnvironment: string | undefined,
): SmtpUrl | undefined {
  const [text, source] = byFlag?.trim()
    ? [byFlag, '--smtp']
    : [byEnvironment?.trim(), 'MAILER_SANDBOX_SMTP_URL'];
  if (!text) return undefined;
  const server = readSmtpUrl(text);
  if (server !== undefined) return server;
  throw new UsageError(`${source} is not the URL of an SMTP server`, {
    hint: 'Write smtp://127.0.0.1:1025, or smtps://USER:PASSWORD@HOST:PORT with special characters percent-encoded.',
  });
}

/** Throws a `UsageError` if mail received at this port would be delivered to it again. */
export function assertNoLoop(server: SmtpUrl | undefined, port: number): void {
  if (server?.loopback !== true || !server.name.endsWith(`:${port}`)) return;
  throw new UsageError(`--smtp-port ${port} and --smtp are the same server, so mail would loop`, {
    hint: 'Without --smtp, mail stays in the sandbox.',
  });
}
