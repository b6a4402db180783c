import type { Context } from '../command/context.ts';
import { NotFoundError, withHint } from '../errors.ts';
import { grouped, quantity } from '../text/quantity.ts';
import type { Missing } from './difference.ts';

/**
 * Unsubscribes or deletes contacts one by one: services have no request for several. A contact that is
 * already gone counts as done, so that the same command can be repeated.
 */
export async function removeMissing(
  context: Context,
  contactBookId: string,
  missing: readonly Missing[],
): Promise<void> {
  const removed = missing.filter(({ action }) => action !== 'keep');
  for (const [index, one] of removed.entries()) {
    const left = `${grouped(index)} of ${quantity(removed.length, 'missing contact')} done`;
    context.report(left, '');
    try {
      await remove(context, contactBookId, one);
    } catch (error) {
      if (error instanceof NotFoundError && !error.details.request?.mayBeOfProxy) continue;
      throw withHint(error, ({ details: { hint } }) =>
        [hint, `${left}. To continue, run the same command again.`].filter(Boolean).join('\n'),
      );
    }
  }
}

async function remove(context: Context, contactBookId: string, { contact, action }: Missing) {
  const params = { contactBookId, contactId: contact.id };
  if (action === 'delete') await context.call('contact.delete', { params });
  else await context.call('contact.update', { params, body: { subscribed: false } });
}
