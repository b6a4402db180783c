/** The flag that checks an email before it is sent. */
export const checkFlag = [
  '--check',
  'check for mistakes first, like email check; if there is an error, send nothing',
] as const;
