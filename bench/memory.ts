import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import nodemailer from 'nodemailer';
import { apiKey } from './lib/api-key.ts';
import type { Bench, Figure, Samples } from './lib/bench.ts';
import { type Body, startBodyServer } from './lib/body-server.ts';
import { temporaryDirectory } from './lib/directories.ts';
import { type Command, startServer } from './lib/measure.ts';
import { writeMailbox } from './lib/report-files.ts';

const reader = fileURLToPath(new URL('lib/read-json.js', import.meta.url));
const parser = fileURLToPath(new URL('lib/parse-message.js', import.meta.url));

/** Just below what the program reads of a response, in bytes. */
const largest = 16.7e6;

/** Text whose last character makes it take two bytes per character. */
const wide = (text: string) => `${text.repeat(largest / Buffer.byteLength(text))}世`;

/** JSON text of this many MB: the unit repeated, separated by commas. */
function filled(start: string, unit: string, end: string, megabytes: number): string {
  const times = Math.floor((megabytes * 1e6) / (unit.length + 1));
  return start + Array(times).fill(unit).join(',') + end;
}

const emptyEmail = (html: string) => `{"id":"em_1","emailEvents":[],"html":"${html}"}`;

interface Shape extends Body {
  readonly words: string;
  /** The goal for the ratio. */
  readonly atMost: number;
  readonly exitCode?: number;
}

/** Responses in the shapes that take the most memory. */
const shapes: Readonly<Record<string, Shape>> = {
  'a text': { words: 'email get em_1', atMost: 1.5, text: emptyEmail(wide('a')) },
  'a text, with its head': {
    words: 'api GET /v1/x -i --json',
    atMost: 1.5,
    text: `"${wide('a')}"`,
  },
  'quotes, as CSV': {
    words: 'api GET /v1/x --csv-safe',
    atMost: 1.5,
    text: `[${emptyEmail(wide('\\"'))}]`,
  },
  'a number': { words: 'api GET /v1/x --jsonl', atMost: 1.5, text: `[${'1'.repeat(largest)}]` },
  'many parts': { words: 'api GET /v1/x', atMost: 0.5, text: filled('[', '{}', ']', 16) },
  'many parts, refused': {
    words: 'api GET /v1/x --csv',
    atMost: 0.5,
    text: filled('[', '{}', ']', 16),
    exitCode: 8,
  },
  'a rejection': {
    words: 'domain list',
    atMost: 2.5,
    text: filled('{"success":false,"error":{"issues":[', '{}', ']}}', 0.35),
    status: 400,
    exitCode: 1,
  },
};

const line = 'The quick brown fox jumps over the lazy dog and then again, once more.\r\n';
const headers = 'From: a@example.com\r\nTo: b@example.org\r\nSubject: Large\r\n\r\n';

export const bench: Bench = {
  summary: () => 'peak memory for the largest inputs, beside programs that only read them',
  async run({ quick, runs, samples }) {
    const directory = temporaryDirectory();
    const bodies = Object.entries(shapes).map(
      ([name, body]) => [encodeURIComponent(name), body] as const,
    );
    const server = await startBodyServer(new Map(bodies));
    const path = (name: string) => join(directory, name);
    writeFileSync(path('large.eml'), headers + line.repeat(quick ? 1000 : 430_000));
    writeFileSync(path('attached.eml'), withFile(quick ? 1 : 31));
    const [many, few] = quick ? [2, 1] : [200, 100];
    for (const count of [many, few]) writeMailbox(path(`${count}.mbox`), count);
    const commands: Record<string, Command> = {
      'email send --eml': {
        words: ['email', 'send', '--quiet', '--eml', path('large.eml'), '--sandbox', '--dry-run'],
      },
      'sendmail -t': {
        words: ['sendmail', '-t', '--sandbox', '--dry-run'],
        input: path('large.eml'),
      },
      parsing: { file: parser, words: [path('large.eml')] },
      'parsing attached': { file: parser, words: [path('attached.eml')] },
    };
    for (const count of [many, few]) {
      const words = ['dmarc', 'report', path(`${count}.mbox`), '--json', '--selector', 'a'];
      commands[`mailbox ${count}`] = { words };
    }
    for (const [name, { words, exitCode = 0 }] of Object.entries(shapes)) {
      const baseUrl = server.baseUrl(encodeURIComponent(name));
      const env = { MAILER_BASE_URL: baseUrl, MAILER_API_KEY: apiKey };
      commands[name] = { words: [...words.split(' '), '--retries', '0'], env, exitCode };
      commands[`reading ${name}`] = { file: reader, words: [`${baseUrl}/v1/x`] };
    }
    try {
      const taken = await samples(commands);
      const goal = (atMost: number) => (quick ? {} : { atMost });
      const figure = (
        what: string,
        name: string,
        baseline: string,
        atMost: number,
        by: string,
      ): Figure => ({
        what,
        measured: memoryOf(taken, name),
        unit: 'KiB',
        baselines: [{ name: by, measured: memoryOf(taken, baseline), ...goal(atMost) }],
      });
      return [
        ...Object.entries(shapes).map(([name, { atMost }]) =>
          figure(name, name, `reading ${name}`, atMost, 'fetch() and JSON.parse()'),
        ),
        ...['email send --eml', 'sendmail -t'].map((name) =>
          figure(`${name}, 31 MB`, name, 'parsing', 1, 'parsing alone'),
        ),
        figure('a mailbox of 400 MB', `mailbox ${many}`, `mailbox ${few}`, 1.2, 'one of 200 MB'),
        ...(await overSmtp(runs, path('attached.eml'), memoryOf(taken, 'parsing attached'), goal)),
      ];
    } finally {
      server.close();
      rmSync(directory, { recursive: true });
    }
  },
};

const memoryOf = (taken: Samples, name: string) =>
  (taken.get(name) ?? []).map(({ memory }) => memory);

/** A message with a file of this many MiB. */
function withFile(size: number): string {
  const head = 'Subject: Large\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n';
  const content = `${'x'.repeat(70)}\r\n`.repeat((size * 1024 * 1024) / 72);
  return `${head}Content-Type: application/octet-stream\r\n\r\n${content}\r\n--b--\r\n`;
}

/** The sandbox, which takes this message by SMTP, once and eight times at once. */
async function overSmtp(
  runs: number,
  path: string,
  parsing: readonly number[],
  goal: (atMost: number) => { readonly atMost?: number },
): Promise<Figure[]> {
  const raw = readFileSync(path);
  const [one, eight]: [number[], number[]] = [[], []];
  for (let run = 1; run <= runs; run++) {
    one.push(await received(raw, 1));
    eight.push(await received(raw, 8));
  }
  const alone = { name: 'parsing alone', measured: parsing, ...goal(1) };
  const single = { name: 'one of them', measured: one, ...goal(2) };
  return [
    { what: 'sandbox, 31 MiB by SMTP', measured: one, unit: 'KiB', baselines: [alone] },
    { what: 'sandbox, 8 × 31 MiB at once', measured: eight, unit: 'KiB', baselines: [single] },
  ];
}

/** The peak memory of a sandbox that has received this message so many times at once. */
async function received(raw: Buffer, count: number): Promise<number> {
  const server = await startServer({
    words: ['sandbox', 'start', '--port', '0', '--smtp-port', '0', '--json'],
    env: { MAILER_SANDBOX_DIR: temporaryDirectory() },
  });
  // The line that the program prints when it is ready, which its tests check.
  const { smtpPort } = JSON.parse(server.line) as { readonly smtpPort: number };
  const host = '127.0.0.1';
  const transport = nodemailer.createTransport({ host, port: smtpPort, ignoreTLS: true });
  const envelope = { from: 'a@example.com', to: 'b@example.org' };
  await Promise.all(Array.from({ length: count }, () => transport.sendMail({ envelope, raw })));
  return await server.stop();
}
