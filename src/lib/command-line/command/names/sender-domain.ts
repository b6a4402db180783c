import { addressAsWritten } from '../../../../api/bare-address.ts';
import type { Domain } from '../../../../api/domain.ts';
import { isPlainRejection, MailerError, problemOf, withHint } from '../../../base/errors.ts';
import { visible } from '../../../base/text/visible.ts';
import { bestEffort } from '../best-effort.ts';
import type { Context } from '../context.ts';
import { nextCommand } from '../next-command.ts';

/** Most verified domains to name. */
const maxNames = 3;

/** Why the sender's domain caused a rejection. */
interface SenderFinding {
  /** What to do about it. */
  readonly hint: string;
  /** The sender with its domain as registered, if only the case differs. */
  readonly registered?: string;
}

/**
 * What the list of domains says about the first of these senders that cannot send; undefined if all
 * can, or if the list cannot be fetched.
 */
export async function senderFinding(
  context: Pick<Context, 'call' | 'flags' | 'system'>,
  senders: readonly string[],
): Promise<SenderFinding | undefined> {
  const domains = await bestEffort(context, (within) => context.call('domain.list', {}, within));
  if (domains === undefined) return undefined;
  for (const sender of new Set(senders)) {
    const finding = findingOf(sender, domains, context);
    if (finding !== undefined) return finding;
  }
  return undefined;
}

function findingOf(
  sender: string,
  domains: readonly Domain[],
  context: Pick<Context, 'flags' | 'system'>,
): SenderFinding | undefined {
  const address = addressAsWritten(sender);
  const wanted = address.slice(address.lastIndexOf('@') + 1);
  const same = domains.filter(({ name }) => name.toLowerCase() === wanted.toLowerCase());
  const verified = domains.filter(isVerified);
  const registered = same.find(isVerified);
  if (same.some((one) => isVerified(one) && one.name === wanted)) return undefined;
  if (registered !== undefined) {
    const at = sender.lastIndexOf(wanted);
    const better = sender.slice(0, at) + registered.name + sender.slice(at + wanted.length);
    const hint = `The domain is registered as ${visible(registered.name)}. Send from: ${visible(better)}`;
    return { hint, registered: better };
  }
  const [known] = same;
  const lines =
    known === undefined
      ? [`This account has no domain ${visible(wanted)}, or this key has no access to it.`]
      : [
          `The status of ${visible(known.name)} is ${visible(known.status)}. To verify it: ${nextCommand(context, 'domain', 'verify', known.name, '--wait')}`,
        ];
  return { hint: [...lines, verifiedInWords(verified, context)].join('\n') };
}

function isVerified({ status }: Domain): boolean {
  return status === 'SUCCESS';
}

function verifiedInWords(
  verified: readonly Domain[],
  context: Pick<Context, 'flags' | 'system'>,
): string {
  const list = `To list the domains: ${nextCommand(context, 'domain', 'list')}`;
  if (verified.length === 0) return `No domain is verified. ${list}`;
  const names = verified.slice(0, maxNames).map(({ name }) => visible(name));
  const left = verified.length - names.length;
  const more = left > 0 ? ` and ${left} more. ${list}` : '';
  return `Verified: ${names.join(', ')}${more}`;
}

/** The error of a request that was rejected because of one of these senders, with what to do. */
export async function explainSender<Thrown>(
  thrown: Thrown,
  context: Pick<Context, 'call' | 'flags' | 'system'>,
  senders: readonly string[],
): Promise<Thrown | MailerError> {
  if (!(thrown instanceof MailerError) || !isPlainRejection(problemOf(thrown))) return thrown;
  return withHint(thrown, (await senderFinding(context, senders))?.hint);
}
