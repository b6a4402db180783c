import { sandboxSecret } from '../../../shared/webhook/sandbox-secret.ts';
import { UsageError } from '../../base/errors.ts';
import type { InputFiles } from '../../base/input/input-files.ts';
import type { System } from '../../base/system/system.ts';

export const secretVariable = 'MAILER_WEBHOOK_SECRET';

/** The name and description of the flag, the same on every command. */
export const secretFlag = [
  '--secret-file <file>',
  `file with the signing secret; - for stdin (default: ${secretVariable})`,
] as const;

/**
 * The signing secret, from the file of `--secret-file` or the environment. Throws a `UsageError`, without the secret
 * in it, if there is none, or if no service issues such a secret.
 */
export async function readSecret(
  path: string | undefined,
  { files, system }: { readonly files: InputFiles; readonly system: Pick<System, 'env'> },
): Promise<string> {
  const source = path === undefined ? secretVariable : '--secret-file';
  const text =
    path === undefined ? system.env[secretVariable] : await files.readText(path, source, 4096);
  const secret = text?.trim() ?? '';
  if (secret === '') {
    throw new UsageError(
      path === undefined ? 'There is no signing secret' : `${source}: the file is empty`,
      {
        hint: `Give it with --secret-file FILE or ${secretVariable}. A sandbox that was started without a secret signs with ${sandboxSecret}.`,
      },
    );
  }
  if (/^[\x21-\x7e]{6,512}$/.test(secret)) return secret;
  throw new UsageError(
    `${source}: a signing secret is 6 to 512 visible ASCII characters without spaces, such as whsec_…`,
  );
}
