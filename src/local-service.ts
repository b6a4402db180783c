import { UsageError } from './lib/errors.ts';
import {
  openSandbox,
  resetSandbox,
  type Sandbox,
  type SandboxOptions,
  SandboxUnavailable,
} from './sandbox/open.ts';
import { StorageFailure } from './sandbox/storage-failure.ts';

/** Opens the embedded service; a `UsageError` says why its data cannot be opened. */
export function openLocalService(options: SandboxOptions): Sandbox {
  return explained(() => openSandbox(options));
}

/** Deletes the embedded service's data and fills it anew; a `UsageError` says why it cannot. */
export function resetLocalService(options: SandboxOptions): void {
  explained(() => resetSandbox(options));
}

function explained<Value>(work: () => Value): Value {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof SandboxUnavailable || error instanceof StorageFailure)) throw error;
    throw new UsageError(error.message, {
      hint: 'MAILER_SANDBOX_DIR names another directory for it.',
      cause: error,
    });
  }
}
