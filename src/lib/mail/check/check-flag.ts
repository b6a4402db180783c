/** The flag that checks an email before it is sent. */
export const checkFlag = ['--check', 'check first, like email check; an error stops it'] as const;
