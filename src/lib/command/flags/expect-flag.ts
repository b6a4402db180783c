/** The flag by which a command only sends what was approved. */
export const expectFlag = [
  '--expect <digest>',
  'send only if the request has this digest, printed by --dry-run --json',
] as const;
