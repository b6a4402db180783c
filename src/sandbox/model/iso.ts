/** A time (milliseconds since 1970) in ISO 8601, as the API shows times. */
export function iso(at: number): string;
export function iso(at: number | null): string | null;
export function iso(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}

export function isoDates({ createdAt, updatedAt }: { createdAt: number; updatedAt: number }) {
  return { createdAt: iso(createdAt), updatedAt: iso(updatedAt) };
}

/** Midnight in UTC before a time, in milliseconds since 1970. */
export function dayStart(at: number): number {
  return at - (at % 86_400_000);
}
