import { schemas } from '../../json-schemas/load.ts';
import type { SeedReply } from '../../json-schemas/sandbox.ts';
import { grouped } from '../../lib/base/text/quantity.ts';
import { defineCommand } from '../../lib/command-line/command/command.ts';
import type { LocalContext } from '../../lib/command-line/command/context.ts';
import { documentOf } from '../../lib/command-line/command/prints.ts';
import { done } from '../../lib/command-line/output/result.ts';

export const command = defineCommand({
  description:
    'The whole file is checked first, and stored as a whole or not at all. docs/sandbox.md has its fields.',
  effects: { local: true },
  prints: [documentOf('the number of stored entries of each list', schemas.sandbox('seedReply'))],
  quiet: 'print nothing',
  withoutAccount: true,
  examples: {
    'mailer sandbox seed seeds.json': 'Add the domains, contacts, messages … of a file',
    'mailer sandbox seed seeds.json --empty': 'Replace all data with the file',
    'mailer sandbox seed - <seeds.json': 'The same from stdin',
  },
  flags: (command) =>
    command
      .argument(
        '<file>',
        'JSON: domains, books, contacts, messages …, as export writes it; - for stdin',
      )
      .option('--empty', 'delete existing data first'),
  async run(context: LocalContext, { empty }, file) {
    const service = await import('../../local-service/data.ts');
    const { chosenDirectory } = await import('../../local-service/chosen-account.ts');
    const { system } = context;
    const seeds = await service.readSeeds(file, context.files, 'sandbox seed');
    const where = { directory: chosenDirectory(context), now: system.now };
    const counts =
      empty === true
        ? service.resetLocalService({ ...where, fresh: { empty, seeds } })
        : service.seedLocalService(where, seeds);
    return done({
      reply: counts satisfies SeedReply,
      ids: [],
      message: `Stored ${inWords(counts)}.`,
    });
  },
});

const names: Readonly<Record<string, string>> = {
  dnsRecords: 'DNS record sets',
  reputationEvents: 'reputation events',
};

function inWords(counts: Readonly<Record<string, number>>): string {
  const parts = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => {
      const noun = names[name] ?? name;
      return `${grouped(count)} ${count === 1 ? noun.slice(0, -1) : noun}`;
    });
  return parts.length === 0 ? 'nothing: the file has no entries' : parts.join(', ');
}
