import { DryRun } from '../http/dry-run.ts';
import type { Context } from './context.ts';

/** An id that no service uses. */
const placeholder = Number.MAX_SAFE_INTEGER;

/** A dry run where only a name is known, not the id: it is shown in the path, and a note explains it. */
export async function dryRunByName<Value>(
  context: Pick<Context, 'notes'>,
  kind: string,
  name: string,
  use: (id: number) => Promise<Value>,
): Promise<Value> {
  try {
    return await use(placeholder);
  } catch (error) {
    if (!(error instanceof DryRun)) throw error;
    const url = new URL(error.request.url);
    url.pathname = url.pathname
      .split('/')
      .map((part) => (part === String(placeholder) ? encodeURIComponent(name) : part))
      .join('/');
    context.notes.say(
      `The ${kind} ${JSON.stringify(name)} would be looked up first; the path then has its id.`,
    );
    throw new DryRun({ ...error.request, url });
  }
}
