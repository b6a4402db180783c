import { schemas } from '../json-schemas/load.ts';
import { defineCommand } from '../lib/command-line/command/command.ts';
import type { CommandModel, CommandRow } from '../lib/command-line/command/command-model.ts';
import { rowsOf } from '../lib/command-line/command/prints.ts';
import { list } from '../lib/command-line/output/result.ts';

export const command = defineCommand({
  description:
    'With words, or with --all, --json has everything about each command: arguments and flags with their values, effects, exit codes, examples, and the JSON Schemas of what each command prints. --help --json prints the same. Nothing is run.',
  effects: {},
  prints: [
    rowsOf('the commands and their effects', schemas.commands('commandRow')),
    rowsOf('everything about each command', schemas.commands('commandModel'), { when: '--all' }),
    rowsOf('everything about each command', schemas.commands('commandModel'), { when: 'WORDS' }),
  ],
  takes: ['lists'],
  examples: {
    'mailer commands': 'All commands, and what each may do',
    "mailer commands email send --jq '.[0].flags[].name'": 'The flags of a command',
    "mailer commands domain verify --jq '.[0].prints[0].schema'": 'The schema of its JSON',
  },
  withoutAccount: true,
  flags: (command) =>
    command
      .argument('[words...]', 'a command, or a group such as email')
      .option('--all', 'everything about each command'),
  async run(context, { all }, words) {
    const models = await context.models(words);
    const isInFull = all === true || words.length > 0;
    const format = context.format();
    const asRow = ({ command, summary, effects }: CommandModel): CommandRow => {
      // The keys of an object literal are what its type says.
      return { command, summary, effects: Object.keys(effects) as CommandRow['effects'] };
    };
    const asJson = format === 'json' || format === 'jsonl';
    return list<CommandRow | CommandModel>({
      pages: [{ rows: isInFull && asJson ? models : models.map(asRow) }],
      columns: [
        { field: 'command', header: 'Command' },
        {
          field: 'effects',
          header: 'Effects',
          cell: ({ effects }) => Object.values(effects).join(', '),
        },
        { field: 'summary', header: 'Summary', flexible: true },
      ],
      id: ({ command }) => command,
      empty: 'No commands.',
    });
  },
});
