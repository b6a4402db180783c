/**
 * The flag by which a command only sends what was approved. Its value is part of an idempotency key, so that one digest
 * has one form.
 */
export const expectFlag = [
  '--expect <digest>',
  'do only what has this digest in --dry-run --json',
  (digest: string) => digest.trim().toLowerCase(),
] as const;
