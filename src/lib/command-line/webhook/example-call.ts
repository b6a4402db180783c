import type { WebhookCall } from '../../../shared/webhook/call.ts';
import type { EventType } from '../../../shared/webhook/event-types.ts';
import { dataSchemas, exampleEventData } from '../../../shared/webhook/events.ts';
import { UsageError } from '../../base/errors.ts';
import { setFields } from './set-fields.ts';

interface ExampleOptions {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly id: string;
  readonly attempt?: number | undefined;
  /** Fields to change, such as `data.to=ana@example.org`. */
  readonly set?: readonly string[] | undefined;
}

/** A call with realistic data. Throws a `UsageError` if a field that was set has the wrong type. */
export function exampleCall(
  type: EventType,
  { now, id, attempt = 1, set = [] }: ExampleOptions,
): WebhookCall {
  const at = new Date(now).toISOString();
  const call: WebhookCall = {
    id,
    type,
    createdAt: at,
    teamId: 1,
    data: exampleEventData(type, at),
    attempt,
  };
  if (set.length === 0) return call;
  const changed = { ...call, ...setFields(call, set) };
  const [issue] = dataSchemas[type].safeParse(changed.data).error?.issues ?? [];
  if (issue !== undefined) {
    throw new UsageError(`--set: data.${issue.path.join('.')}: ${issue.message}`, {
      hint: `mailer webhook example ${type} shows its fields.`,
    });
  }
  for (const name of ['id', 'type', 'createdAt'] as const) {
    if (typeof changed[name] !== 'string') throw new UsageError(`--set: ${name} is a text`);
  }
  return changed;
}
