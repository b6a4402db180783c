/** The HTML for each place of a layout. */
export type LayoutValues = Readonly<Record<'content' | 'subject' | 'preview' | 'lang', string>>;

const places =
  /\{\{-?\s*(content|subject|preview|lang)\s*-?\}\}|zqplace(content|subject|preview|lang)q/g;

/** Languages, and scripts after the language, that are written from right to left. */
const rightToLeft =
  /^(?:(?:ar|arc|ckb|dv|fa|he|iw|ji|nqo|ps|sd|syr|ug|ur|yi)(?!-(?:Latn|Cyrl)\b)|[a-z]{2,3}-(?:Adlm|Arab|Hebr|Nkoo|Rohg|Syrc|Thaa))\b/i;

/** Fills the places of a layout with HTML, in the direction of its language; other placeholders stay. */
export function fillLayout(layout: string, values: LayoutValues): string {
  const isMirrored = rightToLeft.test(values.lang);
  // Many programs drop <html>, so the content has the direction, too.
  const content = isMirrored ? `<div dir="rtl">\n${values.content}</div>` : values.content;
  const filled = { ...values, content };
  const page = isMirrored ? layout.replace(/<html(?![^>]*\sdir\b)/i, '$& dir="rtl"') : layout;
  return page.replace(
    places,
    // Exactly one of the two groups has matched.
    (_, name?: keyof LayoutValues, marked?: keyof LayoutValues) =>
      filled[name ?? marked ?? 'content'],
  );
}

/**
 * A layout with words in its places, which `fillLayout` recognises: Liquid would fill the placeholders
 * itself.
 */
export function withMarkedPlaces(layout: string): string {
  return layout.replace(places, (_, name?: string, marked?: string) => `zqplace${name ?? marked}q`);
}

/** Whether a layout has a place for content. */
export function hasContent(layout: string): boolean {
  return [...layout.matchAll(places)].some(([, name]) => name === 'content');
}

/**
 * The default layout: one column of up to 600 pixels in the machine's fonts, dark if the reader's machine is
 * dark. Outlook on Windows, which does not support `max-width`, gets the width from a table that only it
 * reads.
 */
export const plainLayout = `<!doctype html>
<html lang="{{ lang }}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>{{ subject }}</title>
<style>
:root { color-scheme: light dark; supported-color-schemes: light dark; }
body { margin: 0; padding: 0; background-color: #ffffff; color: #1f2328; -webkit-text-size-adjust: 100%; }
.content { max-width: 600px; margin: 0 auto; padding: 24px 16px; font-family: -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif; font-size: 16px; line-height: 1.5; color: #1f2328; word-wrap: break-word; }
h1, h2, h3, h4 { line-height: 1.25; margin: 24px 0 12px; }
h1 { font-size: 26px; margin-top: 0; }
h2 { font-size: 21px; }
h3 { font-size: 18px; }
p, ul, ol, blockquote, pre { margin: 0 0 16px; }
a { color: #0b57d0; }
img { max-width: 100%; height: auto; border: 0; }
blockquote { padding: 0 0 0 14px; border-left: 3px solid #c9d1d9; color: #57606a; }
[dir=rtl] blockquote { padding: 0 14px 0 0; border-left: 0; border-right: 3px solid #c9d1d9; }
pre, code { font-family: Consolas, Menlo, monospace; font-size: 14px; }
pre { padding: 12px; background-color: #f3f4f6; white-space: pre-wrap; }
hr { border: 0; border-top: 1px solid #c9d1d9; margin: 24px 0; }
table.data { border-collapse: collapse; margin: 0 0 16px; }
table.data th, table.data td { padding: 6px 12px; border: 1px solid #c9d1d9; }
.footer { padding-top: 16px; font-size: 13px; color: #57606a; }
.footer a { color: #57606a; }
@media (prefers-color-scheme: dark) {
body, .content { background-color: #16181c !important; color: #e6e8eb !important; }
a { color: #8ab4f8 !important; }
blockquote, .footer, .footer a { color: #a3abb5 !important; }
pre { background-color: #24272d !important; }
blockquote, hr, table.data th, table.data td { border-color: #444a52 !important; }
}
</style>
</head>
<body>
<div style="display:none;max-height:0;overflow:hidden;mso-hide:all">{{ preview }}</div>
<!--[if mso]><table role="presentation" align="center" width="600"><tr><td><![endif]-->
<div class="content">
{{ content }}
</div>
<!--[if mso]></td></tr></table><![endif]-->
</body>
</html>
`;

/** The same for a campaign whose text has no link to unsubscribe. */
export const layoutWithFooter = plainLayout.replace(
  '{{ content }}',
  '{{ content }}\n<p class="footer"><a href="{{usesend_unsubscribe_url}}">Unsubscribe</a></p>',
);
