import { schemas } from '../json-schemas/load.ts';
import { defineCommand } from '../lib/command-line/command/command.ts';
import { documentOf } from '../lib/command-line/command/prints.ts';
import { stream } from '../lib/command-line/output/result.ts';

export const command = defineCommand({
  description:
    'A client starts it and speaks the Model Context Protocol with it over stdin and stdout, in version 2026-07-28 or an older one. Its tools read the account, check drafts, and put emails into the outbox; none takes a key or a URL. Without --allow-send, none mails. With it, and with a policy that has allow-to, a tool sends what a person has approved with mailer outbox approve. It ends when the client closes stdin. docs/agents.md explains it.',
  effects: { reads: true, mails: ['--allow-send'], local: true },
  prints: [
    documentOf('the messages of the protocol, one per line', schemas.request('protocolMessage')),
  ],
  takes: ['service', 'sandbox'],
  examples: {
    'mailer mcp --sandbox': 'Serve the sandbox, to try it out',
    'mailer mcp --profile work --root ~/newsletters': 'Serve an account, with files of a directory',
  },
  flags: (command) =>
    command
      .option('--allow-send', 'send what was approved; needs a policy with allow-to')
      .option('--root <path>', 'a directory whose files tools may read (default: none)'),
  async run(context, { root, allowSend = false }) {
    const { serveMcp } = await import('../lib/agents/mcp/serve.ts');
    await serveMcp(context, { root, allowSend });
    return stream([]);
  },
});
