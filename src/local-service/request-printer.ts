import { usesColor } from '../lib/base/terminal/uses-color.ts';
import type { Context } from '../lib/command-line/command/context.ts';
import { createPalette } from '../lib/command-line/output/palette.ts';
import type { OnRequest } from './account-jobs.ts';
import { requestLine } from './request-line.ts';

/**
 * Returns a function that prints a request on a line of stderr, with its test account. It prints nothing if stderr is not a
 * terminal, with `--quiet`, or with JSON.
 */
export async function requestPrinter(context: Context): Promise<OnRequest> {
  const { system, flags } = context;
  if (!system.stderrIsTerminal || context.format() !== 'table') return () => {};
  const palette = await createPalette(usesColor(system.env, system.stderr, flags));
  const style = { palette, timeZone: await context.timeZone() };
  return (request, account) => {
    const name = account === undefined ? '' : ` ${palette.dim(`[${account}]`)}`;
    system.stderr.write(`${requestLine(request, style)}${name}\n`);
  };
}
