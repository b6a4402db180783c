/** The flag by which a command only sends what was approved. */
export const expectFlag = [
  '--expect <digest>',
  'send only if the digest is this one, which --dry-run --json prints',
] as const;
