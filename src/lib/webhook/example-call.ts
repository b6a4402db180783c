import { attempt } from '../../shared/attempt.ts';
import type { WebhookCall } from '../../shared/webhook/call.ts';
import type { EventType } from '../../shared/webhook/event-types.ts';
import { dataSchemas, exampleEventData } from '../../shared/webhook/events.ts';
import { UsageError } from '../errors.ts';

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

/**
 * Sets fields of an example, given as `data.to=ana@example.org`, and returns a new object. A value gets the type of
 * the one it replaces: a text stays text, an array gets one element unless the value is a JSON array, anything else
 * is JSON if it can be read as that.
 */
function setFields(example: object, words: readonly string[]): Record<string, unknown> {
  // Examples are plain JSON.
  const root = structuredClone(example) as Record<string, unknown>;
  for (const word of words) setField(root, word);
  return root;
}

function setField(root: Record<string, unknown>, word: string): void {
  const at = word.indexOf('=');
  const path = word.slice(0, Math.max(at, 0)).split('.');
  const name = path.pop() ?? '';
  if (name === '' || path.includes('')) {
    throw new UsageError(`--set: ${JSON.stringify(word)} is not name=value`, {
      hint: 'For example: --set data.subject=Hi',
    });
  }
  let place = root;
  for (const part of path) {
    const inner = (Object.hasOwn(place, part) ? place[part] : undefined) ?? {};
    if (typeof inner !== 'object' || Array.isArray(inner)) {
      throw new UsageError(`--set: ${part} of ${JSON.stringify(word)} has no fields`);
    }
    define(place, part, inner);
    // Checked above.
    place = inner as Record<string, unknown>;
  }
  const old = Object.hasOwn(place, name) ? place[name] : undefined;
  define(place, name, valueLike(old, word.slice(at + 1)));
}

/** Also for `__proto__`, an ordinary name in JSON. */
function define(place: object, name: string, value: unknown): void {
  const how = { value, writable: true, enumerable: true, configurable: true };
  Object.defineProperty(place, name, how);
}

function valueLike(old: unknown, text: string): unknown {
  if (typeof old === 'string') return text;
  const value = attempt(() => JSON.parse(text), text);
  return Array.isArray(old) && !Array.isArray(value) ? [text] : value;
}
