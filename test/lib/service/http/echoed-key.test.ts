import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { valuesOf } from '../../../support/complete.ts';
import { connected, fileIn } from '../../../support/connected.ts';
import { startRecorder } from '../../../support/recorder.ts';
import type { Outcome, World } from '../../../support/run.ts';
import { worldWith } from '../../../support/stored-profiles.ts';

/** No part of it occurs in a text by chance. */
const key = 'us_Q7x9K2m4W8r6T3y5V1z0B-jHgFdSaPo';
/** In characters: one more than the longest part of a masked key that is shown. */
const longestShown = 5;

/** How services, proxies and pages encode a text. Each function returns the inside of a JSON string. */
const forms: Readonly<Record<string, (text: string) => string>> = {
  unmodified: (text) => text,
  'in upper case': (text) => text.toUpperCase(),
  'all of it in \\u': (text) => escaped(text, (hex) => `\\u00${hex}`),
  'in \\u with upper case digits': (text) => escaped(text, (hex) => `\\u00${hex.toUpperCase()}`),
  'partly in \\u': (text) =>
    [...text]
      .map((one, index) => (index % 3 === 1 ? escaped(one, (hex) => `\\u00${hex}`) : one))
      .join(''),
  'in JSON in JSON': (text) => escaped(text, (hex) => `\\\\u00${hex}`),
  'in a URL': (text) => escaped(text, (hex) => `%${hex}`),
  'in a URL in a URL': (text) => escaped(text, (hex) => `%25${hex}`),
  'in HTML': (text) => escaped(text, (hex) => `&#x${hex};`),
  'in HTML, decimal': (text) => escaped(text, (hex) => `&#${Number.parseInt(hex, 16)};`),
};

function escaped(text: string, write: (hex: string) => string): string {
  return [...text].map((one) => write(one.charCodeAt(0).toString(16))).join('');
}

/** A text with all escapes decoded. */
function decoded(text: string): string {
  const character = (_: string, hex: string) => String.fromCharCode(Number.parseInt(hex, 16));
  return text
    .replace(/\\+u(?:00|\{0*)([\da-f]{2})\}?/gi, character)
    .replace(/%(?:25)*([\da-f]{2})/gi, character)
    .replace(/&#x0*([\da-f]{2});/gi, character)
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
}

/** The pieces of the key in a text. */
function piecesIn(text: string): string[] {
  const texts = [text.toLowerCase(), decoded(text).toLowerCase()];
  return Array.from({ length: key.length - longestShown + 1 }, (_, at) =>
    key.slice(at, at + longestShown),
  ).filter((piece) => texts.some((one) => one.includes(piece.toLowerCase())));
}

function expectNothingOf({ stdout, stderr }: Outcome, { home }: World, about: string): void {
  expect(piecesIn(stdout), `${about}: ${stdout}`).toEqual([]);
  expect(piecesIn(stderr), `${about}: ${stderr}`).toEqual([]);
  for (const { parentPath, name } of filesIn(home)) {
    // The configuration is where the key belongs.
    if (name === 'config.json') continue;
    expect(piecesIn(readFileSync(join(parentPath, name), 'latin1')), name).toEqual([]);
  }
}

function filesIn(directory: string) {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
  return entries.filter((one) => one.isFile());
}

/** A reply with the key in every text except times, and one more field named by the key. */
function echo(value: unknown): unknown {
  if (typeof value === 'string') return isTime(value) ? value : `${value}@${placeholder}@ `;
  if (Array.isArray(value)) return value.map(echo);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, one]) => [name, echo(one)]);
  return Object.fromEntries([...entries, [placeholder, placeholder]]);
}

const placeholder = 'KEY-GOES-HERE';

function isTime(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT/.test(text);
}

interface Case {
  readonly name: string;
  readonly command: readonly string[];
  readonly reply: unknown;
}

const folder = new URL('../../../contract/fixtures/', import.meta.url);
const cases = readdirSync(folder).flatMap(
  // The fixtures are written in this shape; a test with another one fails.
  (file) => (JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as { cases: Case[] }).cases,
);
const one = { to: 'a@example.org', from: 'hello@example.com', subject: 'Hi', text: 'Hello' };

/** Runs a command at a service that echoes the key in this form, with this status. */
async function runEchoed(
  { command, reply }: Case,
  form: (text: string) => string,
  { flags = [], status = 200, terminal }: { flags?: string[]; status?: number; terminal?: number },
) {
  const body = JSON.stringify(echo(reply)).replaceAll(placeholder, form(key));
  const answer = {
    status,
    headers: { 'content-type': 'application/json', 'x-request-id': key, 'x-echo': `Bearer ${key}` },
    body,
  };
  const { world, run, service } = await connected(...Array.from({ length: 5 }, () => answer));
  fileIn(world, 'batch.json', [one, { ...one, to: 'b@example.org' }]);
  const outcome = await run([...command, '--retries', '0', ...flags], {
    env: { MAILER_API_KEY: key },
    ...(terminal === undefined ? {} : { terminal }),
  });
  // Some commands have no --csv.
  if (outcome.exitCode !== 2) {
    expect(service.requests[0]?.headers.authorization).toBe(`Bearer ${key}`);
  }
  return { outcome, world };
}

const api: Case = {
  name: 'any',
  command: ['api', 'GET', '/v1/domains'],
  reply: [{ id: 1, name: 'a' }],
};
const issue = { path: ['to', 0], message: 'x'.repeat(1990) };
const domain = {
  ...{ id: 4, name: 'example.com', teamId: 7, status: 'SUCCESS', publicKey: 'MIGfMA0' },
  ...{ createdAt: '2026-01-15T08:00:00.000Z', updatedAt: '2026-01-15T08:00:00.000Z' },
  dnsRecords: [],
};
const refusals: readonly (readonly [string, unknown])[] = [
  ['an envelope', { error: { code: 'FORBIDDEN', message: 'Not you' } }],
  ['a bare string', { error: 'Not found' }],
  ['issues', { success: false, error: { name: 'ZodError', issues: [issue, issue] } }],
  ['a long message', { error: { code: 'FORBIDDEN', message: 'x'.repeat(1980) } }],
];

const inAllForms = (text: string) =>
  Object.values(forms)
    .map((form) => form(text))
    .join(' ');

test('an echoed key is in no format of any command, not even in part', async () => {
  const formats = [[], ['--json'], ['--jsonl'], ['--csv'], ['--quiet'], ['--debug']];
  for (const each of [...cases, api]) {
    for (const flags of formats) {
      const { outcome, world } = await runEchoed(each, inAllForms, { flags });
      expectNothingOf(outcome, world, `${each.name} ${flags}`);
    }
    const { outcome, world } = await runEchoed(each, inAllForms, { terminal: 100 });
    expectNothingOf(outcome, world, `${each.name} on a terminal`);
  }
});

test.each(refusals)('an echoed key is in no error: %s', async (_, reply) => {
  for (const status of [400, 403, 500]) {
    for (const flags of [[], ['--json'], ['--debug']]) {
      for (const command of [api.command, ['domain', 'list']]) {
        for (const form of [(text: string) => text, inAllForms]) {
          const about = { name: 'refused', command, reply };
          const { outcome, world } = await runEchoed(about, form, { flags, status, terminal: 60 });
          expect(outcome.exitCode).toBeGreaterThan(0);
          expectNothingOf(outcome, world, `${command} ${status} ${flags}`);
        }
      }
    }
  }
});

test.each(Object.entries(forms))('what was JSON stays JSON without a key %s', async (_, form) => {
  const { outcome } = await runEchoed(api, form, { flags: ['--json'] });
  const shown = JSON.parse(outcome.stdout);
  expect(shown).toEqual([{ id: 1, name: 'a@***@ ', '***': '***' }]);
});

test('no table of any width shows part of a key', async () => {
  const listing = cases.filter(({ command }) => command[1] === 'list' || command[1] === 'get');
  expect(listing.length).toBeGreaterThan(3);
  for (let terminal = 40; terminal <= 200; terminal += 5) {
    for (const each of terminal % 40 === 0 ? listing : listing.slice(0, 1)) {
      const { outcome, world } = await runEchoed(each, (text) => text, { terminal });
      expectNothingOf(outcome, world, `${each.name} in ${terminal} columns`);
    }
  }
});

test('a key is in no error about a redirect', async () => {
  for (const before of [0, 1970, 1980, 1990]) {
    const location = `/${'x'.repeat(before)}/${key}`;
    for (const form of [key, escaped(key, (hex) => `%${hex}`)]) {
      const headers = { location: location.replace(key, form) };
      const { world, run } = await connected({ status: 302, headers });
      const env = { MAILER_API_KEY: key };
      const outcome = await run('domain delete 1 --yes --json', { env });
      expect(outcome.stderr).toContain('redirects');
      expectNothingOf(outcome, world, `redirect after ${before}`);
    }
  }
});

test.each(['1234567', 'example', 'status', 'publicKey', 'dnsRecords', 'looksLikeAWord'])(
  'the key %s, which may be a word or a number in a response, makes no response unreadable',
  async (word) => {
    const one = { ...domain, id: 1234567, looksLikeAWord: 'x' };
    const { run } = await connected({ body: [one] }, { body: one }, { body: [one] });
    const env = { MAILER_API_KEY: word };
    const found = await run('domain get example.com', { env });
    expect(found).toMatchObject({ exitCode: 0 });
    const { exitCode, stdout } = await run('domain list --json', { env });
    expect(exitCode).toBe(0);
    expect(stdout).toContain('***');
    expect(stdout).not.toContain(word);
  },
);

test('a key is neither offered by completion nor cached for it', async () => {
  const list = [{ ...domain, name: `${key}.example.com`, status: key }];
  const service = await startRecorder({ body: list });
  const world = await worldWith({ work: { baseUrl: service.baseUrl, apiKey: key } }, 'work');
  const offered = await world.run(['__complete', 'fish', 'domain', 'get', '']);
  expect(offered.stdout).toBe('***.example.com\t***\n');
  expectNothingOf(offered, world, 'completion');
  const kept = filesIn(world.home).filter(({ parentPath }) => parentPath.endsWith('completion'));
  expect(kept).toHaveLength(1);
  // From the cache.
  expect(await valuesOf(world, 'domain get ')).toEqual(['***.example.com']);
  expect(service.requests).toHaveLength(1);
});
