import { schemas } from '../../json-schemas/load.ts';
import { UsageError } from '../../lib/base/errors.ts';
import { maxNames, withOverflowCount } from '../../lib/base/text/quoted-names.ts';
import { visible } from '../../lib/base/text/visible.ts';
import { defineCommand } from '../../lib/command-line/command/command.ts';
import { documentOf } from '../../lib/command-line/command/prints.ts';
import { emailScope, withoutIgnored } from '../../lib/mail/check/check-gate.ts';
import { type CheckedFile, showCheck, showCheckedFiles } from '../../lib/mail/check/show-check.ts';
import { addCheckFlags, type CheckFlags } from '../../lib/mail/email/write/check-flags.ts';
import { columnFlags } from '../../lib/people/rows/column-choices.ts';

export const command = defineCommand({
  description:
    'It finds features that mail programs do not support, with the share of people concerned, links and images that do not work, colours that are hard to read, leftover placeholders, and what a service would reject. HTML and text are checked unchanged; Markdown, MJML and React Email are converted to HTML first; for Markdown and MJML, findings name the lines of the source. It takes several files and directories, or with --rows the rows of a batch. With the flags of email send, the whole email is checked. Nothing is sent. The network is used only with --links, which requests the page of each link, but never at an address that is not public. The project file .mailer.json can name findings to ignore.',
  effects: {},
  exits: { 9: 'a finding has the severity of --fail-on or above' },
  prints: [
    documentOf('the findings', schemas.check('checkReply'), {
      line: schemas.check('emailFinding'),
    }),
    documentOf('the findings about all of them', schemas.check('checkedFilesReply'), {
      when: 'several files',
      line: schemas.check('emailFinding'),
    }),
    documentOf('the findings about the emails of all rows', schemas.check('checkedRowsReply'), {
      when: '--rows',
      line: schemas.check('emailFinding'),
    }),
  ],
  takes: ['lists', 'sandbox', 'files'],
  withoutAccount: true,
  examples: {
    'mailer email check welcome.html':
      'Find mistakes, and features that mail programs do not support',
    'mailer email check news.html --campaign --fail-on warning --ignore support,dark-mode':
      'In CI: stop before a campaign is sent',
    'mailer email check welcome.md --links': 'Also find broken links',
    'mailer email check emails --fail-on warning': 'Check all emails in a directory',
    'mailer email check news.md --rows people.csv':
      'Check the email of each row, before email batch',
    'mailer email check --subject Hi --html-file hi.html --attach price.pdf':
      'Check an email as email send would send it',
  },
  quiet: 'only the codes',
  flags: (command) =>
    addCheckFlags(command)
      .optionsGroup('Rows:')
      .option('--rows <file>', 'check the email of each row, as email batch would make it')
      .addOption(columnFlags.map())
      .addOption(columnFlags.ignoreColumn())
      .addOption(columnFlags.onlyColumns()),
  async run(context, options, paths) {
    // The command has both its own flags and those of an email.
    const flags: CheckFlags & typeof options = options;
    const { failOn = 'error', ignore, rows } = flags;
    const kept = async (checked: CheckedFile) => {
      const findings = await withoutIgnored(context, emailScope, checked.findings, ignore);
      return { ...checked, findings };
    };
    if (rows !== undefined) {
      const [path, another] = paths;
      if (another !== undefined) throw new UsageError('--rows needs one template');
      const { checkEmailsOfRows } = await import('../../lib/runs/bulk/show/check-emails.ts');
      const all = await checkEmailsOfRows(context, flags, path, rows);
      return showCheck(await kept(all.checked), failOn, all.rows);
    }
    for (const flag of ['map', 'ignoreColumn'] as const) {
      if (flags[flag] !== undefined) {
        throw new UsageError(`${flag === 'map' ? '--map' : '--ignore-column'} needs --rows`);
      }
    }
    const { checkFiles, checkOne, filesToCheck } = await import(
      '../../lib/mail/email/write/check-files.ts'
    );
    const { files, skipped, isSeveral } = filesToCheck(context, paths);
    if (!isSeveral) return showCheck(await kept(await checkOne(context, flags, files[0])), failOn);
    if (files.length === 0)
      throw new UsageError(`${paths.map(visible).join(', ')}: no emails found`);
    const checked = [];
    for (const one of await checkFiles(context, flags, files)) checked.push(await kept(one));
    if (skipped.length > 0) {
      const names = skipped.slice(0, maxNames).map(({ file }) => visible(file));
      context.notes.say(`Skipped: ${withOverflowCount(names, skipped.length).join(', ')}`);
    }
    return showCheckedFiles(checked, skipped, failOn);
  },
});
