/** The flag by which a campaign that was started before is started again. */
export const againFlag = [
  '--again',
  'start it although it, or the same, was sent before: contacts may get it twice',
] as const;
