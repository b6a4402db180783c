import { withoutIgnored } from '../../lib/check/check-gate.ts';
import { showCheck } from '../../lib/check/show-check.ts';
import { defineCommand } from '../../lib/command/command.ts';
import type { Context } from '../../lib/command/context.ts';
import { documentOf } from '../../lib/command/prints.ts';
import { addCheckFlags, type CheckFlags } from '../../lib/email/write/check-flags.ts';
import { readCheckInput } from '../../lib/email/write/check-input.ts';
import { schemas } from '../../lib/json-schemas/load.ts';
import type { CheckedEmail, EmailFinding } from '../../shared/check/finding.ts';

export const command = defineCommand({
  description:
    'It finds features that mail programs do not support, with the share of people concerned, links and images that do not work, colours that are hard to read, leftover placeholders, and what a service would reject. HTML and text are checked unchanged; Markdown, MJML and React Email are converted to HTML first. With the flags of email send, the whole email is checked. Nothing is sent. The network is used only with --links, which requests the page of each link, but never at an address that is not public. The project file .mailer.json can name findings to ignore.',
  effects: {},
  exits: { 9: 'a finding has the severity of --fail-on or above' },
  prints: [
    documentOf('the findings', schemas.check('checkReply'), {
      line: schemas.check('emailFinding'),
    }),
  ],
  takes: ['lists'],
  withoutAccount: true,
  examples: [
    [
      'mailer email check welcome.html',
      'Find mistakes, and features that mail programs do not support',
    ],
    [
      'mailer email check news.html --campaign --fail-on warning --ignore support,dark-mode',
      'In CI: stop before a campaign is sent',
    ],
    ['mailer email check welcome.md --links', 'Also find broken links'],
    [
      'mailer email check --subject Hi --html-file hi.html --attach price.pdf',
      'Check an email as email send would send it',
    ],
  ],
  quiet: 'only the codes',
  flags: addCheckFlags,
  async run(context, options, file) {
    // The command has both its own flags and those of an email.
    const flags = options as CheckFlags;
    const { failOn = 'error', ignore } = flags;
    const { email, filePart, ownHtml } = await readCheckInput(context, file, flags);
    const answers = flags.links === true ? await answersOf(context, email) : undefined;
    const { checkEmail } = await import('../../shared/check/check-email.ts');
    // The layout is not the writer's.
    const own = new Set(
      ownHtml && checkEmail({ kind: email.kind, html: ownHtml, isPart: true }).map(idOf),
    );
    const found = checkEmail({ ...email, answers }).filter((one) => !own.has(idOf(one)));
    const findings = await withoutIgnored(context, found, ignore);
    const { kind } = email;
    return showCheck({ file: file ?? null, kind, findings, failOn, filePart });
  },
});

function idOf({ code, where, message }: EmailFinding): string {
  return `${code} ${where} ${message}`;
}

async function answersOf(context: Context, email: CheckedEmail) {
  const { askLinks } = await import('../../lib/check/ask-links.ts');
  return await askLinks(context, email);
}
