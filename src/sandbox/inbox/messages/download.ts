import { shortFileName } from '../../mail/header-text.ts';

/** Headers of a file that is to be saved, never shown. `name` may be anything. */
export function downloadHeaders(name: string): Record<string, string> {
  const safe = safeFileName(name);
  // RFC 6266: the plain one is for those who cannot read the other.
  const plain = safe.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  return {
    'Content-Type': 'application/octet-stream',
    'Content-Disposition': `attachment; filename="${plain}"; filename*=UTF-8''${encodeExtended(safe)}`,
    // Should a browser show it after all.
    'Content-Security-Policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
  };
}

/** Characters of a file name; file systems have 255 bytes. */
const longestName = 100;

/** A name of a file in whatever folder the reader chooses: no path, nothing that cannot be seen. */
function safeFileName(name: string): string {
  const last = shortFileName(name.toWellFormed().split(/[/\\]/).at(-1) ?? '');
  const visible = last
    // Control characters, those that change the direction of text, and what Windows has no names of.
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '')
    .replace(/[<>:"|?*]/g, '_')
    .replace(/^[.\s]+|[.\s]+$/g, '');
  const characters = [...visible];
  if (characters.length <= longestName) return visible === '' ? 'attachment' : visible;
  const ending = /\.[\p{L}\p{N}]{1,10}$/u.exec(visible)?.[0] ?? '';
  return `${characters.slice(0, longestName - ending.length).join('')}${ending}`;
}

/** RFC 8187: `encodeURIComponent` leaves some characters that have a meaning in headers. */
function encodeExtended(value: string): string {
  return encodeURIComponent(value).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
