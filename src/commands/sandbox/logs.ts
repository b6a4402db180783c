import { schemas } from '../../json-schemas/load.ts';
import type { LogRow } from '../../json-schemas/sandbox.ts';
import { UsageError } from '../../lib/base/errors.ts';
import { defineCommand } from '../../lib/command-line/command/command.ts';
import type { Context } from '../../lib/command-line/command/context.ts';
import { rowsOf } from '../../lib/command-line/command/prints.ts';
import { type ListPage, list, time } from '../../lib/command-line/output/result.ts';
import { requestLine } from '../../local-service/request-line.ts';
import type { LoggedRequest } from '../../sandbox/http/logged-requests.ts';

/** How often to look for new requests, in milliseconds. */
const interval = 250;

export const command = defineCommand({
  description:
    'It shows the last 500 requests to the API, kept across restarts, and the last 20 that were rejected because another site sent them. Keys in a path are hidden; headers and bodies are in the inbox. On a terminal, sandbox start prints the same lines.',
  effects: {},
  prints: [rowsOf('the requests, oldest first', schemas.sandbox('logRow'))],
  takes: ['lists', 'times'],
  quiet: 'only methods and paths',
  withoutAccount: true,
  examples: {
    'mailer sandbox logs': 'Show the recorded requests, oldest first',
    'mailer sandbox logs --follow': 'Keep printing new requests until Ctrl-C',
    "mailer sandbox logs --jsonl | jq 'select(.status >= 400)'": 'Only the rejected requests',
  },
  flags: (command) => command.option('-f, --follow', 'keep printing new requests until Ctrl-C'),
  async run(context, { follow = false }) {
    if (follow && context.format() === 'json') {
      throw new UsageError('--follow never ends, so it cannot print a single JSON document', {
        hint: 'Use --jsonl: one JSON object per line.',
      });
    }
    return list<LogRow>({
      pages: pages(context, follow),
      columns: [
        { field: 'at', header: 'Time', cell: ({ at }) => time(at, { seconds: true }) },
        { field: 'method', header: 'Method' },
        { field: 'path', header: 'Path', flexible: true },
        { field: 'status', header: 'Status' },
        { field: 'milliseconds', header: 'Ms' },
        { field: 'reason', header: 'Reason' },
      ],
      line: ({ at, status, ...row }, style) =>
        requestLine({ ...row, at: Date.parse(at), status: status ?? 0 }, style),
      id: ({ method, path }) => `${method} ${path}`,
      empty: 'No requests yet.',
    });
  },
});

async function* pages(context: Context, follow: boolean): AsyncGenerator<ListPage<LogRow>> {
  const { system } = context;
  const { openChosenAccount } = await import('../../local-service/chosen-account.ts');
  const sandbox = await openChosenAccount(context);
  try {
    const newRequests = sandbox.followRequests();
    for (;;) {
      const rows = newRequests().map(shown);
      if (rows.length > 0 || !follow) yield { rows };
      if (!follow) return;
      await system.sleep(interval, system.signal);
    }
  } finally {
    sandbox.close();
  }
}

function shown({ at, status, milliseconds, ...request }: LoggedRequest): LogRow {
  return {
    at: new Date(at).toISOString(),
    ...request,
    status: status === 0 ? null : status,
    milliseconds: Math.round(milliseconds * 10) / 10,
  };
}
