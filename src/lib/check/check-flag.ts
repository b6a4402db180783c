/** The flag that checks an email before it is sent. */
export const checkFlag = [
  '--check',
  'look for mistakes first, as email check does, and send nothing if there is an error',
] as const;
