import { schemas } from '../../json-schemas/load.ts';
import type { StatusReply } from '../../json-schemas/sandbox.ts';
import { sandboxDirectory } from '../../lib/base/files/directories.ts';
import { directorySize } from '../../lib/base/files/directory-size.ts';
import { clockInWords } from '../../lib/base/text/time-in-words.ts';
import { defineCommand } from '../../lib/command-line/command/command.ts';
import type { Context } from '../../lib/command-line/command/context.ts';
import { documentOf } from '../../lib/command-line/command/prints.ts';
import { record, time } from '../../lib/command-line/output/result.ts';
import { waitingInWords } from '../../local-service/delivery.ts';
import type { RunningSandbox } from '../../local-service/sandbox-mark.ts';
import { fileSize } from '../../shared/file-size.ts';

export const command = defineCommand({
  description: 'It shows where the data is, its size, and the URL if the sandbox is running.',
  effects: {},
  prints: [documentOf('its data, and whether it is running', schemas.sandbox('statusReply'))],
  takes: ['times'],
  quiet: 'only the word running or stopped',
  withoutAccount: true,
  examples: { 'mailer sandbox status': 'Its data directory, and whether it is running' },
  async run(context) {
    const directory = sandboxDirectory(context.system);
    const bytes = directorySize(directory);
    const { runningSandbox } = await import('../../local-service/running-sandbox.ts');
    const served = bytes === 0 ? undefined : await runningSandbox(context, directory);
    const { hasData } = await import('../../sandbox/seeds/data.ts');
    const { accountNames } = await import('../../sandbox/seeds/accounts.ts');
    const { ahead, waiting } = hasData(directory) ? await look(context, directory) : nothing;
    const forPerson = context.system.stdout.isTTY === true;
    const note = [
      ...(ahead === 0 ? [] : [`Its clock is ${clockInWords(ahead)}.`]),
      // A running server with --smtp sends them. After one was killed, only this note mentions them.
      ...(waiting === 0 || served !== undefined ? [] : [waitingInWords(waiting)]),
    ];
    const now = new Date(context.system.now() + ahead).toISOString();
    const reply = {
      directory,
      bytes,
      running: served !== undefined,
      url: served?.url ?? null,
      baseUrl: served?.baseUrl ?? null,
      smtpPort: served?.smtpPort ?? null,
      dnsPort: served?.dnsPort ?? null,
      now,
      aheadMs: ahead,
      waiting,
      accounts: accountNames(directory),
    } satisfies StatusReply;
    return record({
      reply,
      quiet: served === undefined ? 'stopped' : 'running',
      rows: [
        ['directory', 'Directory', directory],
        ['bytes', 'Size', forPerson ? sizeInWords(bytes) : bytes],
        ['running', 'Served', forPerson ? servedInWords(served) : served !== undefined],
        ...(reply.smtpPort === null ? [] : ([['smtpPort', 'SMTP port', reply.smtpPort]] as const)),
        ...(reply.dnsPort === null ? [] : ([['dnsPort', 'DNS port', reply.dnsPort]] as const)),
        ...(reply.accounts.length === 0
          ? []
          : ([['accounts', 'Test accounts', reply.accounts]] as const)),
        ...(ahead === 0 ? [] : ([['now', 'Clock', time(now, { seconds: true })]] as const)),
      ],
      ...(note.length === 0 ? {} : { note }),
    });
  },
});

function sizeInWords(bytes: number): string {
  return bytes === 0 ? 'empty: created at first use' : fileSize(bytes);
}

function servedInWords(served: RunningSandbox | undefined): string {
  return served === undefined
    ? 'no; to start it: mailer sandbox start'
    : `yes, at ${served.baseUrl}`;
}

const nothing = { ahead: 0, waiting: 0 };

async function look({ system }: Context, directory: string): Promise<typeof nothing> {
  const { openLocalService } = await import('../../local-service/data.ts');
  const sandbox = openLocalService({ directory, now: system.now });
  try {
    return { ahead: sandbox.ahead(), waiting: sandbox.waiting() };
  } finally {
    sandbox.close();
  }
}
