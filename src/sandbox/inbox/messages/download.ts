import { shortFileName } from '../../mail/header-text.ts';

/** Headers that make browsers save a file and never show it. `name` is untrusted. */
export function downloadHeaders(name: string): Record<string, string> {
  const safe = safeFileName(name);
  // RFC 6266: `filename` is for clients that cannot read `filename*`.
  const plain = safe.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  return {
    'Content-Type': 'application/octet-stream',
    'Content-Disposition': `attachment; filename="${plain}"; filename*=UTF-8''${encodeExtended(safe)}`,
    // In case a browser shows it anyway.
    'Content-Security-Policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
  };
}

/** The most characters of a file name; file systems allow 255 bytes. */
const longestName = 100;

/** A file name without a path or invisible characters. */
function safeFileName(name: string): string {
  const last = shortFileName(name.toWellFormed().split(/[/\\]/).at(-1) ?? '');
  const visible = last
    // Control and direction characters, and those that Windows does not allow.
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '')
    .replace(/[<>:"|?*]/g, '_')
    .replace(/^[.\s]+|[.\s]+$/g, '');
  const characters = [...visible];
  if (characters.length <= longestName) return visible === '' ? 'attachment' : visible;
  const ending = /\.[\p{L}\p{N}]{1,10}$/u.exec(visible)?.[0] ?? '';
  return `${characters.slice(0, longestName - ending.length).join('')}${ending}`;
}

/** RFC 8187: `encodeURIComponent` does not escape all characters with a meaning in headers. */
function encodeExtended(value: string): string {
  return encodeURIComponent(value).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
