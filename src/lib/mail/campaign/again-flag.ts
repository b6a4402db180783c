/** The flag by which a campaign that was started before is started again. */
export const againFlag = [
  '--again',
  'start it even if it, or another campaign like it, was sent or is scheduled: contacts may get it twice',
] as const;
