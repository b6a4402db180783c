import { DryRun } from '../http/dry-run.ts';
import type { Context } from './context.ts';

/** An id that no service gives out. */
const placeholder = Number.MAX_SAFE_INTEGER;

/**
 * The dry run of a request whose path needs an id where only a name is known, which cannot be
 * looked up, as nothing is sent. The path is shown with the name in it, and a note says so.
 * `kind` is what is named, such as `campaign`.
 */
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
