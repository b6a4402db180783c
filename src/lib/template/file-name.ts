/** Longer names of files are cut; file systems have 255 bytes, and a letter may take four. */
const longest = 50;

/** Names that stand for devices on Windows, with every extension. */
const device = /^(con|prn|aux|nul|(com|lpt)\d)$/;

/**
 * A name for the file of a template: of the letters and digits of its name, which the service gives. `isTaken`
 * tells whether there is such a file; a number makes it another one then.
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
