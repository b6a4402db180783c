/** Characters of the longest file name: file systems allow 255 bytes, and a character may take four. */
const longest = 50;

/** Names reserved for devices on Windows, whatever the extension. */
const device = /^(con|prn|aux|nul|(com|lpt)\d)$/;

/**
 * A file name for a template: only the letters and digits of its name, which comes from the service. Appends
 * a number if `isTaken`.
 */
export function fileNameOf(name: string, isTaken: (file: string) => boolean): string {
  const words = name
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}]+/gu);
  const slug = [...(words ?? []).join('-').normalize('NFC')].slice(0, longest).join('');
  const tidy = slug.replace(/-$/, '');
  const base = tidy === '' ? 'template' : device.test(tidy) ? `${tidy}-template` : tidy;
  let file = `${base}.html`;
  for (let number = 2; isTaken(file); number++) file = `${base}-${number}.html`;
  return file;
}
