import { schemas } from '../../json-schemas/load.ts';
import { defineCommand } from '../../lib/command-line/command/command.ts';
import { choice } from '../../lib/command-line/command/flags/choice.ts';
import { repeatableOption } from '../../lib/command-line/command/flags/repeatable.ts';
import { documentOf } from '../../lib/command-line/command/prints.ts';
import { groupings, measures } from '../../lib/domains/dmarc-reports/flags.ts';

export const command = defineCommand({
  description:
    'It reads the aggregate reports that receivers send to the address in rua= of a DMARC record (RFC 7489, RFC 9990): as XML, gzip, ZIP, messages or mailboxes, or in a directory with any of these. It adds up who sends as your domains, how much of it passes DMARC, and what receivers did with it. Mail is yours if it is signed with a DKIM selector of the account, or of --selector. Nothing is stored, and no mail is fetched. Reports that were given twice are counted once.',
  effects: { reads: true },
  exits: {
    9: 'with --fail-on: a domain is above the limit, or there are no messages',
    11: 'a file cannot be read; the others were counted',
  },
  prints: [
    documentOf('the totals of each domain, and the rows', schemas.dmarc('reportDocument'), {
      line: schemas.dmarc('reportRow'),
    }),
  ],
  takes: ['service', 'sandbox', 'lists', 'times'],
  withoutAccount: true,
  examples: {
    'mailer dmarc report ~/Mail/dmarc': 'All reports in a directory, by source',
    'mailer dmarc report reports.mbox --by selector --since 30d': 'How much of it is yours',
    "mailer dmarc report reports.mbox --domain example.com --fail-on 'unaligned>1%'":
      'In CI: fail if more than 1% does not pass DMARC',
    'mailer dmarc report - --csv < report.xml.gz': 'A report from stdin, for a spreadsheet',
  },
  quiet: 'only the sources, selectors or days',
  grammar: {
    title: "Conditions: 'MEASURE>LIMIT'",
    rows: [
      ['MEASURE', measures.join(', ')],
      ['LIMIT', 'a number of messages, or a percentage of them: 100, 0.5%'],
    ],
  },
  flags: (command) =>
    command
      .argument('<file...>', 'files or directories; - for stdin')
      .addOption(choice('--by <what>', groupings, 'what to group by (default: source)'))
      .addOption(
        repeatableOption('--domain <domain>', 'only mail from this domain and below; repeat'),
      )
      .addOption(
        repeatableOption(
          '--selector <selector>',
          "a DKIM selector of yours; repeat (default: those of the account's domains)",
        ),
      )
      .option('--since <when>', 'only reports from then on: ISO 8601, yesterday, 30d')
      .option('--until <when>', 'only reports before that time')
      .addOption(
        repeatableOption(
          '--fail-on <condition>',
          "exit with 9 if a domain is above this limit: 'unaligned>1%'; repeat",
        ),
      ),
  async run(context, options, paths) {
    const { readAndShow } = await import('../../lib/domains/dmarc-reports/run.ts');
    return await readAndShow(context, paths, options);
  },
});
