import type { HtmlEscapedString } from 'hono/utils/html';

/** HTML with all values escaped, as hono's `html` returns it. */
export type Html = HtmlEscapedString | Promise<HtmlEscapedString>;
