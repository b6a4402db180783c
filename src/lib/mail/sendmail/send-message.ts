import { createHash } from 'node:crypto';
import { mailboxParts } from '../../../api/address.ts';
import { type SendBody, sendEmail } from '../../../api/email.ts';
import { MailerError, problemOf, toError, UsageError } from '../../base/errors.ts';
import { oneAddress } from '../../base/input/addresses.ts';
import type { ReadonlyInfer } from '../../base/json/readonly-infer.ts';
import type { Context } from '../../command-line/command/context.ts';
import {
  addressesOf,
  senderSettings,
  unusedSetting,
} from '../../command-line/command/flags/address-flags.ts';
import { rememberLastCreated } from '../../command-line/command/names/last-made.ts';
import { needsApproval } from '../../command-line/outbox/prepare.ts';
import { type Result, textResult } from '../../command-line/output/result.ts';
import { checkInput, type NameOf } from '../../service/http/check-request.ts';
import { DryRun, joinDryRuns } from '../../service/http/dry-run.ts';
import { createAudience } from '../../service/policy/audience.ts';
import { emailUnder } from '../../service/policy/email-under.ts';
import { allRecipients } from '../../service/policy/redirect.ts';
import { whyApproval } from '../../service/policy/refusal.ts';
import { sendAsRegistered } from '../email/send/send-as-registered.ts';
import type { SendRequest } from '../email/write/send-body.ts';
import { type ParsedEml, type Person, parseEml, parsePeople, textOf } from '../eml/parse-eml.ts';
import { passRaw } from '../message/pass-raw.ts';
import { createIsLocal, emailsTo, envelopeOf, type IsLocal, oneOrAll } from './people.ts';
import type { SendmailFlags } from './sendmail-flags.ts';
import type { sendmailReply } from './sendmail-shape.ts';
import { endingWith, sysexit } from './sysexits.ts';

/** Sends the message on stdin, like `sendmail`: prints nothing unless requested. */
export async function sendMessage(
  context: Context,
  flags: SendmailFlags,
  recipients: readonly string[],
): Promise<Result> {
  checkMode(flags, recipients);
  if (flags.account !== undefined) {
    context.notes.warn('-a has no effect. To choose an account, use --profile or MAILER_PROFILE.');
  }
  const settings = await endingWith(sysexit.config, () => settingsOf(context, flags));
  const { message, emails } = await endingWith(sysexit.badMessage, async () => {
    const message = await readMessage(context, flags);
    const given = flags.t === true ? undefined : recipients.flatMap(parsePeople);
    const people = emailsTo(message, envelopeOf(message, given), settings);
    const from = authorOf(message.from, flags, settings);
    const replyTo = message.replyTo.filter(({ address }) => !settings.isLocal(address)).map(textOf);
    const email = { from, ...withReplyTo(replyTo, settings.replyTo), ...contentOf(message) };
    return { message, emails: people.map((one): SendBody => ({ ...one, ...email })) };
  });
  const data = await endingWith(sysexit.badMessage, () => sendAll(context, emails, message));
  const ids = data.map(({ emailId }) => emailId);
  if (flags.v === true) context.notes.say(...ids.map((id) => `Accepted: ${id}`));
  return textResult({
    reply: { data } satisfies ReadonlyInfer<typeof sendmailReply>,
    text: '',
    quiet: ids.join('\n'),
    carriedOut: { ids, what: `The message was accepted: ${ids.join(', ')}.` },
  });
}

/** Throws a `UsageError` for modes that this `sendmail` does not support. */
function checkMode(flags: SendmailFlags, recipients: readonly string[]): void {
  const mode = flags.b?.find((one) => one !== 'm');
  if (mode !== undefined) {
    throw new UsageError(
      `-b${mode}: there is no queue, server or alias file; -bm sends a message.`,
    );
  }
  if (flags.t === true && recipients.length > 0) {
    throw new UsageError('-t cannot be used together with recipients', {
      hint: 'Some implementations of sendmail would also send to these; others would leave them out.',
    });
  }
  if (flags.t !== true && recipients.length === 0) {
    throw new UsageError('Give recipients, or -t to send to those in the headers.');
  }
}

async function settingsOf(context: Context, flags: SendmailFlags) {
  // Before reading stdin, because a missing account is not the message's fault and has its own exit code.
  if (context.flags.dryRun !== true) (await context.account()).service();
  const settings = await context.settings();
  const local = flags.localMailTo || settings['local-mail-to'];
  const localMailTo = await addressesOf(local ? [local] : [], '--local-mail-to');
  const { from, replyTo } = await senderSettings(context);
  return {
    from,
    replyTo,
    localMailTo: localMailTo === undefined ? [] : [localMailTo].flat(),
    isLocal: createIsLocal(context.system, flags.from || from),
    withoutSender:
      context.flags.sandbox === true ? `Name one with --from. ${unusedSetting}` : undefined,
  };
}

async function readMessage({ files, notes }: Context, flags: SendmailFlags): Promise<ParsedEml> {
  const bytes = await files.readBytes('-', 'sendmail');
  if (bytes.length === 0) throw new UsageError('There is no message on stdin.');
  const keepsDots = flags.i === true || flags.o?.includes('i') === true;
  const message = await parseEml(bytes, { endsAtDot: !keepsDots, lenient: true });
  const { lost, problems, assumed } = message;
  if (lost.length > 0 && flags.lossy !== true) {
    throw new UsageError(`The service cannot send ${lost.join(', ')}.`, {
      hint: 'To send the message without that, add --lossy.',
    });
  }
  if (lost.length > 0) notes.say(`Left out: ${lost.join(', ')}`);
  if (problems.length > 0 && flags.lossy !== true) {
    throw new UsageError(`The message cannot be read: ${problems.join('; ')}.`, {
      hint: 'To send it as far as it could be read, add --lossy.',
    });
  }
  for (const one of [...problems, ...assumed]) notes.warn(`The message: ${one}.`);
  return message;
}

/** What stands for a text that a message has not. */
const noText = '\n';

/** Fills in subject and body, which services require and `sendmail` does not. */
function contentOf({ content }: ParsedEml) {
  const isEmpty = content.text === undefined && content.html === undefined;
  return { subject: '(no subject)', ...content, ...(isEmpty && { text: noText }) };
}

function withReplyTo(written: readonly string[], setting: SendBody['replyTo']) {
  const replyTo = written.length > 0 ? oneOrAll(written) : setting;
  return replyTo === undefined ? {} : { replyTo };
}

/** The names of fields in messages. */
const headerOf: Readonly<Partial<Record<string, string>>> = {
  ...{ to: 'To', cc: 'Cc', bcc: 'Bcc', from: 'From', replyTo: 'Reply-To', subject: 'Subject' },
};
const nameOf: NameOf = (field) => headerOf[field];

/** Sends all emails of a message. Errors say whether the caller may hand it over again. */
async function sendAll(
  context: Context,
  emails: readonly SendBody[],
  { messageId }: ParsedEml,
): Promise<ReadonlyInfer<typeof sendmailReply>['data']> {
  const accepted: { readonly emailId: string }[] = [];
  const hintIfUnknown = hintFor(messageId);
  // Check all of them before the first is sent: to callers, a rejected message reached nobody.
  const { policy } = await context.policy();
  const people = createAudience();
  for (const body of emails) {
    checkInput(sendEmail, { body }, nameOf);
    people.add(allRecipients(emailUnder(policy, body).email));
  }
  const refusal = whyApproval(policy, people.audience());
  if (refusal !== undefined && context.flags.dryRun !== true) throw needsApproval(context, refusal);
  const all = people.shown().recipients;
  const keyOfAll = () =>
    messageId === undefined ? context.system.uuid() : keyOf(messageId, emails);
  // What its reader finds in the characters of the message was said, and an alert may be all subject.
  const isAllSubject = emails[0]?.text === noText && emails[0].html === undefined;
  const except = ['characters-lost', ...(isAllSubject ? ['no-content'] : [])];
  const passed = await passRaw(context, emails.slice(0, 1), { except });
  const whole = emails.length === 1 ? undefined : { key: keyOfAll(), recipients: all };
  const shown: DryRun[] = [];
  for (const body of emails) {
    const key = messageId === undefined ? undefined : keyOf(messageId, body);
    const request = { body, passed, settled: {}, hintIfUnknown };
    try {
      const reply = await sendAsRegistered(context, request, { idempotencyKey: key, whole });
      accepted.push(reply);
      await rememberLastCreated(context, 'email', reply.emailId);
    } catch (error) {
      if (error instanceof DryRun) {
        shown.push(error);
        continue;
      }
      if (!(error instanceof MailerError)) throw error;
      const isUnsafe =
        error.details.request?.isUnclear === true ||
        (messageId === undefined && (error.outcomeUnknown || accepted.length > 0));
      const { hint = [], exitCode = isUnsafe ? sysexit.unavailable : undefined } = error.details;
      const hints = [...partly(accepted.length, emails.length), hint].flat();
      throw toError({ ...problemOf(error), exitCode, hint: hints.join('\n') || undefined });
    }
  }
  const plan = await joinDryRuns(shown);
  if (plan === undefined) return accepted;
  throw plan;
}

/** What an unknown outcome means for the caller. */
function hintFor(messageId: string | undefined): SendRequest['hintIfUnknown'] {
  const known = 'The message may have been accepted.';
  if (messageId === undefined) {
    return `${known} It has no Message-ID, so sending it again may deliver it twice.`;
  }
  return (_, unrecorded) =>
    unrecorded === undefined
      ? `${known} Sending it again within 24 hours looks for it first, and does not deliver it twice.`
      : `${known} That it was sent cannot be recorded (${unrecorded}), so sending it again after a minute may deliver it twice.`;
}

function partly(accepted: number, all: number): string[] {
  return accepted === 0 ? [] : [`It was accepted for ${accepted} of ${all} recipients.`];
}

/** The idempotency key of an email: the same message to the same people is sent only once. */
function keyOf(messageId: string, content: SendBody | readonly SendBody[]): string {
  const hash = createHash('sha256').update(JSON.stringify([messageId, content]));
  return `sendmail-${hash.digest('hex')}`;
}

interface AuthorSettings {
  readonly from: string | undefined;
  readonly isLocal: IsLocal;
  /** What to do without a sender, where a setting would not help. */
  readonly withoutSender?: string | undefined;
}

/**
 * The sender: from `--from`, else the message's author, else `-f`, else the setting. Addresses of local
 * users are skipped, but their name is kept.
 */
function authorOf(
  author: Person | undefined,
  flags: SendmailFlags,
  { from: setting, isLocal, withoutSender }: AuthorSettings,
): string {
  if (flags.from) return oneAddress(flags.from, '--from');
  if (author !== undefined && !isLocal(author.address)) return textOf(author);
  const name = author?.name || flags.F?.at(-1) || '';
  const [byFlag] = parsePeople((flags.f ?? flags.r)?.at(-1) ?? '');
  if (byFlag !== undefined && !isLocal(byFlag.address)) {
    return textOf({ name: name || byFlag.name, address: byFlag.address });
  }
  const known = setting === undefined ? undefined : mailboxParts(setting);
  if (known !== undefined) return textOf({ name: name || known.name, address: known.address });
  const local = author ?? byFlag;
  const why = local === undefined ? 'names no sender' : `is from the local user ${local.address}`;
  throw new UsageError(`The message ${why}, and there is no default sender.`, {
    hint: withoutSender ?? 'Set one: mailer config set from "Ana <ana@example.com>"',
    exitCode: sysexit.config,
  });
}
