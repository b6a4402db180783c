import type { World } from '../../support/run.ts';

export const html = '<p>Hello {{usesend_unsubscribe_url}}</p>';

/** The command line that creates a campaign in the sandbox, with its book and verified domain, unless others are given. */
export function createWords(name: string, ...more: readonly string[]): string[] {
  const usual = [
    ['--from', 'news@example.com'],
    ['--subject', 'News'],
    ['--book', 'book_customers'],
    ['--html', html],
  ] as const;
  const left = usual.filter(([flag]) => !more.includes(flag)).flat();
  return ['campaign', 'create', '--sandbox', '--name', name, ...left, '--yes', ...more];
}

/** Creates a campaign in the sandbox and returns its id. */
export async function create(world: World, name: string, ...more: readonly string[]) {
  const { stdout, stderr } = await world.run(createWords(name, '--quiet', ...more));
  if (stdout === '') throw new Error(stderr);
  return stdout.trim();
}

/** The campaign as `campaign get` shows it. */
export async function get(world: World, id: string) {
  return JSON.parse((await world.run(['campaign', 'get', id, '--sandbox', '--json'])).stdout);
}

/** A row of the list, as in the specification. */
export function summary(id: string, fields: Readonly<Record<string, unknown>> = {}) {
  return {
    id,
    name: 'Spring news',
    from: 'news@example.com',
    subject: 'News',
    createdAt: '2026-01-15T09:59:00.000Z',
    updatedAt: '2026-01-15T09:59:00.000Z',
    status: 'DRAFT',
    scheduledAt: null,
    total: 0,
    sent: 0,
    delivered: 0,
    unsubscribed: 0,
    ...fields,
  };
}

/** The response to a list, with these rows on one page. */
export function page(...campaigns: readonly unknown[]) {
  return { body: { campaigns, totalPage: campaigns.length === 0 ? 0 : 1 } };
}

/** The response of a server without the operation that reads one campaign. */
export const lacking = { status: 404, body: '404 Not Found' };

/** The response of a server without a campaign of this id. */
export const noSuch = {
  status: 404,
  body: { error: { code: 'NOT_FOUND', message: 'Campaign not found' } },
};
