import type { Context } from '../command/context.ts';
import type { OutboxDetail, OutboxEntry } from './outbox-shapes.ts';
import { detailOf, outboxOf } from './outbox-store.ts';

/** What waits for approval, or was decided in the last days; the newest first. */
export async function listOutbox(
  context: Pick<Context, 'flags' | 'system' | 'clock'>,
): Promise<readonly OutboxEntry[]> {
  return (await outboxOf(context)).list();
}

/** One entry with its request. Throws a `UsageError` for what is no id or was changed, and a `NotFoundError`. */
export async function getFromOutbox(
  context: Pick<Context, 'flags' | 'system' | 'clock'>,
  id: string,
): Promise<OutboxDetail> {
  return detailOf((await outboxOf(context)).get(id));
}
