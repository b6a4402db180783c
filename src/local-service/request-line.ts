import { localTime } from '../lib/base/text/local-time.ts';
import { shortened } from '../lib/base/text/shortened.ts';
import { visible } from '../lib/base/text/visible.ts';
import type { Palette } from '../lib/command-line/output/palette.ts';
import type { LoggedRequest } from '../sandbox/http/logged-requests.ts';

/** The colours of a line, and the time zone of its time (an IANA name). */
export interface LineStyle {
  readonly palette: Palette;
  readonly timeZone: string;
}

/** The most characters shown of a path or a reason. */
const mostShown = 200;

/** A request on one line: `10:00:05 POST /api/v1/emails 200 12 ms`, then why it was rejected. */
export function requestLine(
  { at, method, path, status, milliseconds, reason }: LoggedRequest,
  { palette, timeZone }: LineStyle,
): string {
  const [, time = ''] = localTime(new Date(at), timeZone, { seconds: true }).split(' ');
  const why = reason?.split('\n', 1)[0] ?? '';
  return [
    palette.dim(time),
    `${visible(method)} ${visible(shortened(path, mostShown))}`,
    paintFor(status, palette)(status === 0 ? 'no response' : String(status)),
    palette.dim(`${Math.max(1, Math.round(milliseconds))} ms`),
    ...(why === '' ? [] : [visible(shortened(why, mostShown))]),
  ].join(' ');
}

function paintFor(status: number, palette: Palette): (text: string) => string {
  if (status >= 500 || status === 0) return palette.red;
  if (status >= 400) return palette.magenta;
  return status < 300 ? palette.green : (text) => text;
}
