import fc from 'fast-check';

/** Any character, like fast-check's `binary`, which takes a second to list all of them. */
export const anyCharacter = fc
  .nat(0x10ffff)
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code));
