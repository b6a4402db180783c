import { onTestFinished } from 'vitest';
import { serve } from '../../src/sandbox/http/serve.ts';
import type { SandboxOptions } from '../../src/sandbox/open.ts';
import { startSandbox } from '../sandbox/harness.ts';

/** A sandbox served for a browser, with a clock that the test controls. */
export async function serveInbox(options: Partial<SandboxOptions> = {}) {
  const own = startSandbox(options);
  const { origin, close } = await serve({ fetch: own.sandbox.fetch, port: 0 });
  onTestFinished(close);
  return { ...own, origin };
}
