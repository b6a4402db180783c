/** An entry of `email list` in a response. */
export function listItem(id: string, fields: Readonly<Record<string, unknown>> = {}) {
  return {
    id,
    to: ['ana@example.org'],
    from: 'hello@example.com',
    subject: `Subject of ${id}`,
    html: null,
    text: 'Hello',
    createdAt: '2026-01-10T10:00:00.000Z',
    updatedAt: '2026-01-10T10:00:00.000Z',
    latestStatus: 'DELIVERED',
    scheduledAt: null,
    domainId: 1,
    ...fields,
  };
}

/** Sends `count` emails with batch requests; their subjects count from 1. */
export async function fill(
  { baseUrl, apiKey }: { readonly baseUrl: string; readonly apiKey: string },
  count: number,
  text: string,
): Promise<void> {
  for (let first = 1; first <= count; first += 100) {
    const size = Math.min(100, count - first + 1);
    const body = Array.from({ length: size }, (_, index) => ({
      to: 'ana@example.org',
      from: 'hello@example.com',
      subject: `Number ${first + index}`,
      text,
    }));
    const response = await fetch(`${baseUrl}/v1/emails/batch`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  }
}
