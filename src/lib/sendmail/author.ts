import { mailboxParts } from '../../api/address.ts';
import type { Named } from '../eml/parse-eml.ts';
import { parseNamed, textOf } from '../eml/parse-eml.ts';
import { UsageError } from '../errors.ts';
import { oneAddress } from '../input/addresses.ts';
import type { IsLocal } from './people.ts';
import type { SendmailFlags } from './sendmail-flags.ts';
import { sysexit } from './sysexits.ts';

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
export function authorOf(
  author: Named | undefined,
  flags: SendmailFlags,
  { from: setting, isLocal, withoutSender }: AuthorSettings,
): string {
  if (flags.from) return oneAddress(flags.from, '--from');
  if (author !== undefined && !isLocal(author.address)) return textOf(author);
  const name = author?.name || flags.F?.at(-1) || '';
  const [byFlag] = parseNamed((flags.f ?? flags.r)?.at(-1) ?? '');
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
