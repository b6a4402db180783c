import { askedSender, askForValues } from '../../command/ask/ask-for-values.ts';
import { askText } from '../../command/ask/ask-text.ts';
import type { Context } from '../../command/context.ts';
import { addressesOf, senderHint } from '../../command/flags/address-flags.ts';
import { UsageError } from '../../errors.ts';
import { sendFlagOf } from './send-flags.ts';

/** A person's answers. */
interface Answers {
  /** Fields of the request; empty if nothing was asked. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** The flags that would set these fields. */
  readonly flags: Readonly<Record<string, string>>;
}

/**
 * Asks for missing recipients, sender, subject and body. Asks nothing without a usable account: throws like
 * `Account.key` and the requests for the senders. If it may not ask, throws a `UsageError` that names all
 * missing fields. `offline`: the email is not going to be sent.
 */
export async function askForMissing(
  context: Context,
  body: Readonly<Record<string, unknown>>,
  offline: boolean,
): Promise<Answers> {
  const { prompts } = context;
  const hasTemplate = body.templateId !== undefined;
  const hasBody = hasTemplate || body.text !== undefined || body.html !== undefined;
  const value = (isThere: boolean) => (isThere ? 'given' : undefined);
  const wants = {
    to: body.to === undefined,
    from: body.from === undefined,
    subject: body.subject === undefined && !hasTemplate,
    text: !hasBody,
  };
  const isAsked = prompts.possible && Object.values(wants).includes(true);
  const sender = isAsked && !offline ? await askedSender(context, wants.from) : undefined;
  const answers = await askForValues(
    [
      {
        flag: sendFlagOf.to,
        question: 'To',
        value: value(!wants.to),
        check: isAsked && wants.to ? await addressCheck() : undefined,
      },
      { flag: sendFlagOf.from, question: 'From', value: value(!wants.from), ask: sender },
      { flag: sendFlagOf.subject, question: 'Subject', value: value(!wants.subject) },
      {
        flag: sendFlagOf.text,
        question: 'Text',
        value: value(!wants.text),
        ask: () => askText(context, 'Text'),
      },
    ],
    prompts,
    wants.from ? await senderHint(context) : undefined,
    wants.text
      ? 'Instead of --text, you can use --html, --markdown-file, --mjml-file, --react-email or --template.'
      : undefined,
  );
  const [to = '', from = '', subject = '', text = ''] = answers;
  const given = { to, from, subject, text };
  const asked = (['to', 'from', 'subject', 'text'] as const).filter((field) => wants[field]);
  return {
    fields: Object.fromEntries(
      await Promise.all(
        asked.map(async (field) => [
          field,
          field === 'to' ? await addressesOf([to], sendFlagOf.to) : given[field],
        ]),
      ),
    ),
    flags: Object.fromEntries(asked.map((field) => [sendFlagOf[field], given[field]])),
  };
}

/** A function that says what is wrong with an answer, which takes one or more addresses like `--to`. */
async function addressCheck() {
  const { parseAddresses } = await import('../../input/addresses.ts');
  return (answer: string): string | undefined => {
    if (answer.trim() === '') return 'Required';
    try {
      parseAddresses([answer], 'To');
      return undefined;
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      return [error.message.replace(/^To: /, ''), error.details.hint]
        .flat()
        .filter(Boolean)
        .join('. ');
    }
  };
}
