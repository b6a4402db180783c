/** The flag that settles what looks like a mistake in a text: it is meant as it is written. */
export const literalFlag = [
  '--literal',
  'send {{ placeholders }}, file names and local URLs as written',
] as const;

/** The same for a campaign that exists. */
export const literalStartFlag = [
  '--literal',
  'start it even if placeholders in it are not filled in',
] as const;

/** The flag by which a campaign starts although contacts lack a value that it fills in. */
export const allowBlankFlag = [
  '--allow-blank',
  'start it even if a placeholder is empty for some contacts',
] as const;
