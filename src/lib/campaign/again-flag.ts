/** The flag by which a campaign that was started before is started again. */
export const againFlag = [
  '--again',
  'start it although it was sent before, or is being sent: contacts may get it twice',
] as const;
