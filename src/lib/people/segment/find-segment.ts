import type { Segment } from '../../../api/segment.ts';
import { withHint } from '../../base/errors.ts';
import { looksLikeMadeId } from '../../base/text/looks-like-id.ts';
import type { Context } from '../../command-line/command/context.ts';
import { idGiven } from '../../command-line/command/names/last-made.ts';
import { noneNamed, oneMeant, refuseEmpty } from '../../command-line/command/names/named.ts';
import { dryRunByName } from '../../command-line/command/names/named-dry-run.ts';
import { isUnknownField } from './condition.ts';
import { rulesText } from './rules-text.ts';

/**
 * Runs `use` with the segment of this id, exact name, or `@last`; in a dry run with its id alone. The service
 * has no request for a single segment, so this finds it in the list. Throws a `UsageError` if several have the
 * name, and a `NotFoundError` if none has.
 */
export async function withSegment<Value>(
  context: Context,
  given: string,
  use: (segmentId: string, segment?: Segment) => Promise<Value>,
): Promise<Value> {
  refuseEmpty('segment', given);
  const named = await idGiven(context, 'segment', given);
  if (context.flags.dryRun === true) {
    if (looksLikeMadeId(named)) return await use(named);
    return await dryRunByName(context, 'segment', named, use);
  }
  const segments = await context.call('segment.list', {});
  const segment = oneMeant(segments, 'segment', named, ({ rules, createdAt }) => [
    rulesText(rules),
    createdAt,
  ]);
  if (segment === undefined) throw noneNamed(context, 'segment', named);
  context.names.set(segment.id, named);
  return await use(segment.id, segment).catch((error) => {
    throw withHint(error, ({ details }) =>
      details.status === 500 ? whyItFails(segment) : undefined,
    );
  });
}

/** Why a service may fail whenever it uses this segment; undefined if its conditions show no reason. */
function whyItFails({ rules }: Segment): string | undefined {
  const fields = (rules?.conditions ?? []).map(({ field }) => field ?? '');
  const unknown = fields.find(isUnknownField);
  return unknown === undefined
    ? undefined
    : `The condition on ${unknown} may be the cause: services name this property properties.${unknown}. Create the segment again with mailer segment create, which does that, too.`;
}
