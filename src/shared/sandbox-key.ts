/** Whether an API key is one of a sandbox: all sandboxes have the same keys. */
export function isSandboxKey(key: string): boolean {
  return key.startsWith('us_sandbox_');
}
