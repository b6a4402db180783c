import { loadSqlite } from '../../../shared/load-sqlite.ts';
import { MailerError } from '../../base/errors.ts';
import { sandboxDirectory } from '../../base/files/directories.ts';
import { UnreachablePlace } from '../../base/files/home-directory.ts';
import { isWritable } from '../../base/files/writable-directory.ts';
import { setToPath } from '../../base/text/shell-quote.ts';
import { refuseAccountFlags } from '../../service/account/sandbox-account.ts';
import type { Context } from '../command/context.ts';
import { type Check, failed, firstFailed, oddDirectory, ok, skipped, warning } from './check.ts';
import { checkInstallations } from './check-installations.ts';
import { checkNode } from './check-node.ts';
import { checkPolicy } from './check-policy.ts';
import { probeService } from './probe-service.ts';

/** Checks what the embedded service needs. Checks of accounts and the network do not apply to it. */
export async function examineSandbox(context: Context): Promise<Check[]> {
  refuseAccountFlags(context.flags);
  const before = [checkDirectory(context), checkSqlite()];
  const cause = firstFailed(before);
  return [
    checkNode(context.system),
    ...checkInstallations(context.system),
    ...before,
    cause === undefined
      ? await checkService(context)
      : skipped('service', `Not tried, as ${cause.check} failed`),
    ...(await checkPolicy(context)),
  ];
}

function checkDirectory({ system }: Context): Check {
  let directory: string;
  try {
    directory = sandboxDirectory(system);
  } catch (error) {
    if (!(error instanceof UnreachablePlace)) throw error;
    return failed(
      'directory',
      'usage',
      error.message,
      `For example: ${setToPath('MAILER_SANDBOX_DIR', 'path/to/a/directory', system)}`,
    );
  }
  if (!isWritable(directory)) {
    return failed(
      'directory',
      'usage',
      `${directory} cannot be written to`,
      'Change its permissions or its owner, or set another directory in MAILER_SANDBOX_DIR.',
    );
  }
  const [odd] = oddDirectory(system, 'MAILER_SANDBOX_DIR', 'XDG_DATA_HOME');
  return odd === undefined
    ? ok('directory', directory)
    : warning('directory', `${directory}, as ${odd[0]}`, odd[1]);
}

function checkSqlite(): Check {
  try {
    const { DatabaseSync } = loadSqlite();
    const database = new DatabaseSync(':memory:');
    const row = database.prepare('SELECT sqlite_version() AS version').get();
    database.close();
    return ok('sqlite', `SQLite ${String(row?.version)}`);
  } catch {
    return failed(
      'sqlite',
      'usage',
      'This Node was built without SQLite',
      'Install Node from https://nodejs.org, which has it.',
    );
  }
}

async function checkService(context: Context): Promise<Check> {
  try {
    const { service, key } = await context.account();
    const { error } = await probeService(context, { baseUrl: service(), apiKey: await key() });
    if (error !== undefined) throw error;
    return ok('service', 'Runs in this process');
  } catch (error) {
    if (!(error instanceof MailerError)) throw error;
    const remedy = error.details.hint ?? 'Start over: mailer sandbox reset';
    return failed('service', error.code, error.message, remedy);
  }
}
