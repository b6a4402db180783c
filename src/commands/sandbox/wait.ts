import { schemas } from '../../json-schemas/load.ts';
import type { CodeReply, LinkReply } from '../../json-schemas/sandbox.ts';
import { UsageError, WaitFailedError, WaitTimeoutError } from '../../lib/base/errors.ts';
import { sandboxDirectory } from '../../lib/base/files/directories.ts';
import { parseDuration } from '../../lib/base/input/duration.ts';
import { parseInteger } from '../../lib/base/input/numbers.ts';
import { defineCommand } from '../../lib/command-line/command/command.ts';
import type { Context } from '../../lib/command-line/command/context.ts';
import { periodBound } from '../../lib/command-line/command/flags/scheduled-time.ts';
import { documentOf, rowsOf } from '../../lib/command-line/command/prints.ts';
import { list, type Result, textResult, time } from '../../lib/command-line/output/result.ts';
import type { MessageRead } from '../../sandbox/arrivals/message-read.ts';
import type { Arrivals, WantedMail } from '../../sandbox/arrivals/wait-for-arrivals.ts';

const usualPatience = 10_000;

export const command = defineCommand({
  description:
    'It ends as soon as the message is there, also if it was there before. Messages come from the API, over SMTP and from commands with --sandbox. With MAILER_BASE_URL, it waits at the sandbox of that URL, such as one in a container. --code prints the code in the newest message that has one, and --link the link that contains a text; if the message has several of them, it ends with 9 and names them.',
  effects: {},
  exits: {
    9: 'a message came, with --count 0; or it is not clear which code or link is meant',
    10: 'the wait timed out',
  },
  prints: [
    rowsOf('the messages, newest first', schemas.sandbox('arrival')),
    documentOf('the code', schemas.sandbox('codeReply'), { when: '--code' }),
    documentOf('the link', schemas.sandbox('linkReply'), { when: '--link' }),
  ],
  takes: ['lists', 'times', 'sandbox'],
  withoutAccount: true,
  examples: {
    'mailer sandbox wait --to ana@example.org': 'Wait for a message to Ana',
    'mailer sandbox wait --to ana@example.org --code': 'Print the code that she was sent',
    'curl "$(mailer sandbox wait --to ana@example.org --link confirm)"':
      'Follow the link of a sign-up',
    'mailer sandbox wait --to ana@example.org --count 0 --timeout 2s': 'Check that nothing comes',
  },
  flags: (command) =>
    command
      .option('--to <address>', 'its recipient, copies included')
      .option('--from <address>', 'its sender')
      .option('--subject <text>', 'a part of its subject')
      .option('--since <when>', 'sent at this time or later: 5m, 9:30, ISO 8601')
      .option('--after <id>', 'sent after the message with this id')
      .option(
        '--count <n>',
        'how many to wait for; 0 to check that none comes (default: 1)',
        parseInteger('--count', { min: 0, max: 100 }),
      )
      .option(
        '--timeout <duration>',
        'how long to wait, such as 30s (default: 10s)',
        parseDuration('--timeout'),
      )
      .option('--base-url <url>', 'the sandbox at this URL (default: MAILER_BASE_URL)')
      .option('--code', 'wait for a message with a code, and print it')
      .option('--link <text>', 'wait for one with such a link, and print it'),
  async run(context, options): Promise<Result> {
    const { to, from, subject, after, code, link, timeout = usualPatience } = options;
    const { count = 1 } = options;
    if (code === true && link !== undefined) {
      throw new UsageError('--code and --link cannot be used together');
    }
    if (count !== 1 && (code === true || link !== undefined)) {
      throw new UsageError(`${code ? '--code' : '--link'} waits for one message, without --count`);
    }
    if (after !== undefined && options.since !== undefined) {
      throw new UsageError('--since and --after cannot be used together');
    }
    // With a misspelt address, nothing would come for certain.
    for (const [flag, address] of Object.entries({ '--to': to, '--from': from })) {
      if (address?.includes('@') !== false) continue;
      throw new UsageError(`${flag}: ${JSON.stringify(address)} is not an address`);
    }
    const wanted = { to, from, subject, code, link };
    const how = { since: options.since, after, count, timeout };
    const { urlElsewhere } = await import('../../local-service/sandbox-elsewhere.ts');
    const elsewhere = await urlElsewhere(context, options.baseUrl);
    const [arrivals, missing] =
      elsewhere === undefined
        ? await waitHere(context, wanted, how)
        : await waitElsewhere(context, wanted, how, elsewhere);
    context.system.signal.throwIfAborted();
    if (!arrivals.met) {
      const Failure = count === 0 ? WaitFailedError : WaitTimeoutError;
      throw new Failure(missing);
    }
    if (code === true) return await codeOf(context, arrivals);
    return link === undefined ? messages(arrivals) : await linkOf(arrivals, link);
  },
});

interface Wait {
  readonly since: string | undefined;
  /** The id of a message. */
  readonly after: string | undefined;
  readonly count: number;
  /** Milliseconds. */
  readonly timeout: number;
}

type Outcome = readonly [Arrivals, missing: string];

async function waitHere(context: Context, mail: WantedMail, wait: Wait): Promise<Outcome> {
  const { count, timeout } = wait;
  const { system } = context;
  const [{ openChosenAccount }, { runningSandbox }, { UnknownMessage }] = await Promise.all([
    import('../../local-service/chosen-account.ts'),
    import('../../local-service/running-sandbox.ts'),
    import('../../sandbox/arrivals/wait-for-arrivals.ts'),
  ]);
  const isServed = (await runningSandbox(context, sandboxDirectory(system))) !== undefined;
  const account = await openChosenAccount(context);
  try {
    // A server sends mail that is due by itself.
    if (!isServed) account.catchUp();
    const since = wait.after ?? (await timeSince(context, wait.since, account.now));
    return await context.progress.during('Waiting for mail', () =>
      account.waitFor({ ...mail, since }, { count, timeout, signal: system.signal }),
    );
  } catch (error) {
    if (!(error instanceof UnknownMessage)) throw error;
    throw new UsageError(error.message, { cause: error });
  } finally {
    account.close();
  }
}

async function waitElsewhere(
  context: Context,
  mail: WantedMail,
  { since: text, after, count, timeout }: Wait,
  baseUrl: string,
): Promise<Outcome> {
  const [{ chosenKey }, { sandboxElsewhere }] = await Promise.all([
    import('../../local-service/chosen-account.ts'),
    import('../../local-service/sandbox-elsewhere.ts'),
  ]);
  const sandbox = await sandboxElsewhere(context, baseUrl);
  try {
    const since = after ?? (await timeSince(context, text, sandbox.now));
    return await context.progress.during('Waiting for mail', () =>
      sandbox.waitFor({ ...mail, since }, { count, timeout, key: chosenKey(context) }),
    );
  } finally {
    await sandbox.close();
  }
}

/** The time that `--since` means by the clock of the sandbox. */
async function timeSince(
  context: Context,
  text: string | undefined,
  now: () => number,
): Promise<number | undefined> {
  if (text === undefined) return undefined;
  const { timeZone, knowsTimeZone, notes, flags, system } = context;
  const reader = { timeZone, knowsTimeZone, notes, flags, system, clock: async () => now };
  return Number(await periodBound(text, reader, '--since'));
}

function messages({ messages }: Arrivals): Result {
  return list<MessageRead>({
    pages: [{ rows: messages }],
    columns: [
      { field: 'createdAt', header: 'Time', cell: (row) => time(row.createdAt, { seconds: true }) },
      { field: 'from', header: 'From', flexible: true },
      { field: 'to', header: 'To', flexible: true },
      { field: 'subject', header: 'Subject', flexible: true },
      { field: 'code', header: 'Code', onlyFor: ({ code }) => code !== null },
      { field: 'id', header: 'Id' },
    ],
    id: ({ id }) => id,
    empty: 'No message came.',
  });
}

async function codeOf({ notes }: Context, { messages: [message] }: Arrivals): Promise<Result> {
  if (message === undefined) throw new WaitFailedError('The message was deleted meanwhile.');
  const { id, code, codes } = message;
  if (code === null) {
    throw new WaitFailedError(
      `It is not clear which code is meant: message ${id} has ${codes.map((one) => one.code).join(', ')}.`,
      { hint: 'To see where they are: mailer sandbox wait … --json --fields text,html,codes' },
    );
  }
  if (codes.every(({ named }) => !named)) {
    notes.say(`No word such as "code" is near ${code}; it is the only such number in ${id}.`);
  }
  return textResult({ reply: { code, messageId: id } satisfies CodeReply, text: code });
}

async function linkOf({ messages: [message] }: Arrivals, text: string): Promise<Result> {
  const { linksWith } = await import('../../sandbox/arrivals/message-read.ts');
  if (message === undefined) throw new WaitFailedError('The message was deleted meanwhile.');
  const [link, ...others] = linksWith(message, text);
  const { id } = message;
  if (link === undefined || others.length > 0) {
    const urls = [link, ...others].map((one) => one?.url ?? '');
    throw new WaitFailedError(
      `It is not clear which link is meant: message ${id} has ${urls.length} with ${JSON.stringify(text)}: ${urls.join(', ')}`,
      { hint: 'A longer text can name one of them.' },
    );
  }
  return textResult({
    reply: { url: link.url, messageId: id } satisfies LinkReply,
    text: link.url,
  });
}
