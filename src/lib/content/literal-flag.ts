/** The flag that settles what looks like a mistake in a text: it is meant as it is written. */
export const literalFlag = [
  '--literal',
  'send {{ placeholders }}, file names and local URLs as written',
] as const;

/** The same for a campaign that exists. */
export const literalStartFlag = [
  '--literal',
  'start it although placeholders in it are not filled in',
] as const;
