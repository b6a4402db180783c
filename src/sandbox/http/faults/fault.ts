import { limits } from '../../../api/limits.ts';
import { type Method, methods } from '../../../api/operation.ts';
import { durationOf } from '../../../shared/duration.ts';
import { smtpCommands } from '../../mail/receive/smtp-commands.ts';

/** The shapes of errors of live servers and of proxies in front of them. */
export const shapes = ['envelope', 'zod', 'bare', 'text', 'html'] as const;

export type Shape = (typeof shapes)[number];

export type Effect =
  | { readonly kind: 'status'; readonly status: number; readonly shape: Shape }
  | { readonly kind: 'delay'; readonly milliseconds: number }
  /** The connection is closed, and nothing is processed. */
  | { readonly kind: 'drop' }
  /** The request is processed, then the connection is closed without a response. */
  | { readonly kind: 'drop-reply' }
  /** The request is processed, then the connection is closed in the middle of the response's body. */
  | { readonly kind: 'cut-reply' }
  /** The request is rejected as if its key had expired. */
  | { readonly kind: 'expired-key' }
  /** The account is blocked: sends are rejected. */
  | { readonly kind: 'blocked' }
  /** Every n-th email of a batch is not created; the response is a 200. */
  | { readonly kind: 'short'; readonly every: number };

/** A failure on purpose. */
export interface Fault {
  /** In the usual spelling. */
  readonly text: string;
  readonly method: Method | 'SMTP' | '*';
  /** For SMTP, a command in capitals, or `*`. */
  readonly path: string;
  readonly effect: Effect;
  /** How many requests it applies to; all if undefined. */
  readonly times: number | undefined;
}

/** An invalid fault. The message gives the reason. */
export class FaultSyntaxError extends Error {}

export const faultForm =
  'A fault is METHOD PATH EFFECT [xN], such as POST /v1/emails 503 x2, or SMTP COMMAND EFFECT [xN], such as SMTP RCPT 451 x2.';

/** Effects written as one word. */
export const plainEffects = ['drop', 'drop-reply', 'cut-reply', 'expired-key', 'blocked'] as const;

const effectsInWords = `a status such as 503, "delay 2s", "short 3", ${plainEffects.slice(0, -1).join(', ')} or ${plainEffects.at(-1)}`;

/** Longer texts are not parsed. */
const longestText = 300;

/**
 * Reads `METHOD PATH EFFECT [xN]`, such as `POST /v1/emails 503 x2`. METHOD and PATH may be `*`. In
 * PATH, `{name}` stands for one segment, and `*` at the end for all that follow. Throws `FaultSyntaxError`.
 */
export function parseFault(text: string): Fault {
  const fail = (reason: string): never => {
    throw new FaultSyntaxError(`"${shortened(text)}" is not a fault: ${reason}.`);
  };
  const words = text.trim().split(/\s+/);
  if (text.length > longestText) fail(`it has more than ${longestText} characters`);
  const last = words.at(-1) ?? '';
  const times = /^x/i.test(last) && words.length > 3 ? readTimes(last, fail) : undefined;
  const [first = '', at = '', ...effectWords] = times === undefined ? words : words.slice(0, -1);
  const method = readMethod(first, fail);
  const isSmtp = method === 'SMTP';
  const path = isSmtp ? readCommand(at, fail) : readPath(at, fail);
  const effect = (isSmtp ? readSmtpEffect : readEffect)(effectWords, fail);
  const spelled = [method, path, ...effectWords.map((word) => word.toLowerCase())];
  if (times !== undefined) spelled.push(`x${times}`);
  return { text: spelled.join(' '), method, path, effect, times };
}

type Fail = (reason: string) => never;

function readMethod(word: string, fail: Fail): Fault['method'] {
  if (word === '') return fail('it is empty');
  const known = [...methods, 'SMTP', '*'] as const;
  const method = known.find((one) => one === word.toUpperCase());
  return method ?? fail(`"${word}" is not a method: use ${methods.join(', ')}, SMTP or *`);
}

function readCommand(word: string, fail: Fail): string {
  const command = [...smtpCommands, '*'].find((known) => known === word.toUpperCase());
  return command ?? fail(`"${word}" is not a command of SMTP: use ${smtpCommands.join(', ')} or *`);
}

const smtpEffects = ['status', 'delay', 'drop', 'drop-reply'];

function readSmtpEffect(words: readonly string[], fail: Fail): Effect {
  const effect = readEffect(words, fail);
  if (smtpEffects.includes(effect.kind) && !words[0]?.includes(':')) return effect;
  return fail('for SMTP, the effect is a reply code such as 451, "delay 2s", drop or drop-reply');
}

function readPath(path: string, fail: Fail): string {
  if (path === '*') return path;
  if (path === '') fail('the path is missing, such as /v1/emails or *');
  if (!path.startsWith('/')) fail(`the path "${path}" does not start with /`);
  if (/^\/api(\/|$)/.test(path)) fail('leave /api out of the path: /v1/emails');
  if (path.includes('?')) fail('the path must not have a query');
  if (/\*./.test(path) || /[^/]\*/.test(path)) fail('in the path, * can only be at the end');
  const bare = path.replace(/(?<=\/)\{\w+\}(?=\/|$)/g, 'x');
  if (!/^[\w\-.~%!$&'()*+,;=:@/]+$/.test(bare)) {
    fail(`"${path}" is not a path such as /v1/emails, /v1/emails/{emailId} or /v1/emails/*`);
  }
  return path;
}

function readEffect([word = '', value, more]: readonly string[], fail: Fail): Effect {
  const name = word.toLowerCase();
  if (name === '') return fail(`the effect is missing: use ${effectsInWords}`);
  if (name === 'delay') {
    const milliseconds = parseDelay(value ?? '');
    if (milliseconds === undefined) return fail('delay needs a time up to 1h, such as 200ms or 2s');
    if (more !== undefined) return fail(`unexpected "${more}" after the effect`);
    return { kind: 'delay', milliseconds };
  }
  if (name === 'short') {
    const every = value === undefined ? 2 : readEvery(value, fail);
    if (more !== undefined) return fail(`unexpected "${more}" after the effect`);
    return { kind: 'short', every };
  }
  if (value !== undefined) {
    return fail(
      `unexpected "${value}" after the effect: only a number of times can follow, such as x2`,
    );
  }
  const kind = plainEffects.find((known) => known === name);
  if (kind !== undefined) return { kind };
  if (/^-?\d/.test(name)) return readStatus(name, fail);
  return fail(`"${word}" is not an effect: use ${effectsInWords}`);
}

const longestDelay = 3_600_000;

/**
 * The milliseconds in a time such as `200ms`, `1.5s` or `1m30s`, up to an hour; undefined for others. Bare
 * numbers are not read, because they could be seconds or milliseconds.
 */
export function parseDelay(text: string): number | undefined {
  const milliseconds = /^[\d.]+$/.test(text) ? undefined : durationOf(text.toLowerCase());
  const isAllowed = milliseconds !== undefined && milliseconds >= 1 && milliseconds <= longestDelay;
  return isAllowed ? milliseconds : undefined;
}

/** At least 2: with `1`, no email would be created, to which live servers respond with 500. */
function readEvery(word: string, fail: Fail): number {
  const every = /^\d{1,3}$/.test(word) ? Number(word) : 0;
  const { emailsPerBatch: most } = limits;
  if (every >= 2 && every <= most) return every;
  return fail(`short needs a number from 2 to ${most}: "short 3" leaves out every third email`);
}

function readStatus(word: string, fail: Fail): Effect {
  const [digits = '', shapeName, more] = word.split(':');
  const status = /^\d{3}$/.test(digits) ? Number(digits) : Number.NaN;
  if (!(status >= 400 && status <= 599)) return fail(`"${digits}" is not a status from 400 to 599`);
  if (shapeName === undefined) return { kind: 'status', status, shape: usualShape(status) };
  const shape = shapes.find((known) => known === shapeName);
  if (shape === undefined || more !== undefined) {
    return fail(`"${word}" has no known shape: ${shapes.join(', ')}`);
  }
  return { kind: 'status', status, shape };
}

/** Errors of the service have an envelope. Errors about reaching it come from a proxy. */
function usualShape(status: number): Shape {
  return status > 500 ? 'html' : 'envelope';
}

function readTimes(word: string, fail: Fail): number {
  const times = /^x\d{1,6}$/i.test(word) ? Number(word.slice(1)) : 0;
  return times > 0 ? times : fail(`"${word}" is not a number of times from x1 to x999999`);
}

function shortened(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}
