/** The flag that has an email checked before it is sent. */
export const checkFlag = [
  '--check',
  'look for mistakes first, as email check does, and send nothing if there is an error',
] as const;
