import type { SendBody } from '../../../../api/email.ts';
import { usageErrorOf } from '../../../base/errors.ts';
import { askedSender, askForValues } from '../../../command-line/command/ask/ask-for-values.ts';
import { askText } from '../../../command-line/command/ask/ask-text.ts';
import type { Context } from '../../../command-line/command/context.ts';
import { addressesOf, senderHint } from '../../../command-line/command/flags/address-flags.ts';
import { sendFlagOf } from './send-flags.ts';

/**
 * Asks for missing recipients, sender, subject and body. Asks nothing without a usable account: throws like
 * `Account.key` and the requests for the senders. If it may not ask, throws a `UsageError` that names all
 * missing fields. `offline`: the email is not going to be sent. `beforeFirst`: done before the first question, so
 * that what is wrong already does not cost a person their answers.
 */
export async function askForMissing(
  context: Context,
  body: Readonly<Record<string, unknown>>,
  offline: boolean,
  beforeFirst: () => Promise<unknown>,
) {
  const { prompts } = context;
  const has = (...fields: (keyof SendBody)[]) => fields.some((field) => body[field] !== undefined);
  const wants = {
    to: !has('to'),
    from: !has('from'),
    subject: !has('subject', 'templateId'),
    text: !has('text', 'html', 'templateId'),
  };
  const isAsked = prompts.possible && Object.values(wants).includes(true);
  if (isAsked) await beforeFirst();
  const sender = isAsked && !offline ? await askedSender(context, wants.from) : undefined;
  const needs = [
    { field: 'to', question: 'To', check: isAsked && wants.to ? await addressCheck() : undefined },
    { field: 'from', question: 'From', ask: sender },
    { field: 'subject', question: 'Subject' },
    { field: 'text', question: 'Text', ask: () => askText(context, 'Text') },
  ] as const;
  const missing = needs.filter(({ field }) => wants[field]);
  const values = await askForValues(
    missing.map((need) => ({ ...need, flag: sendFlagOf[need.field], value: undefined })),
    prompts,
    wants.from ? await senderHint(context) : undefined,
    wants.text
      ? 'Instead of --text, you can use --html, --markdown-file, --mjml-file, --react-email or --template.'
      : undefined,
  );
  const answers = missing.map(({ field }, index) => [field, values[index] ?? ''] as const);
  const { to, ...others } = Object.fromEntries(answers);
  return {
    /** Fields of the request; empty if nothing was asked. */
    fields: {
      ...(to === undefined ? {} : { to: await addressesOf([to], sendFlagOf.to) }),
      ...others,
    },
    /** The flags that would set these fields. */
    flags: Object.fromEntries(answers.map(([field, answer]) => [sendFlagOf[field], answer])),
  };
}

/** A function that says what is wrong with an answer, which takes one or more addresses like `--to`. */
async function addressCheck() {
  const { parseAddresses } = await import('../../../base/input/addresses.ts');
  return (answer: string): string | undefined => {
    if (answer.trim() === '') return 'Required';
    const { message, details } = usageErrorOf(() => parseAddresses([answer], 'To')) ?? {};
    return (
      message && [message.replace(/^To: /, ''), details?.hint].flat().filter(Boolean).join('. ')
    );
  };
}
