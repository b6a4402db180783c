import type { Context } from '../lib/command/context.ts';
import { createPalette } from '../lib/output/palette.ts';
import { usesColor } from '../lib/terminal/uses-color.ts';
import type { LoggedRequest } from '../sandbox/http/logged-requests.ts';
import { requestLine } from './request-line.ts';

/**
 * Returns a function that prints a request on a line of stderr. It prints nothing if stderr is not a
 * terminal, with `--quiet`, or with JSON.
 */
export async function requestPrinter(context: Context): Promise<(request: LoggedRequest) => void> {
  const { system, flags } = context;
  if (!system.stderrIsTerminal || context.format() !== 'table') return () => {};
  const palette = await createPalette(usesColor(system.env, system.stderr, flags));
  const style = { palette, timeZone: await context.timeZone() };
  return (request) => system.stderr.write(`${requestLine(request, style)}\n`);
}
