import { type OperationId, operations } from '../../../api/operations.ts';
import { type ErrorCode, MailerError } from '../../base/errors.ts';
import type { Client } from '../../service/http/client.ts';

/** A part of the service, and whether the service offers it. */
export interface Feature {
  readonly feature: string;
  /** Whether at least some of it is offered; null if the service does not tell. */
  readonly offered: boolean | null;
  /** The ids of the operations that are not offered. */
  readonly missing: readonly OperationId[];
}

/** Errors of the connection or of this run, which say nothing about what the service offers. */
const others: readonly ErrorCode[] = ['unavailable', 'rate_limited', 'interrupted', 'terminated'];

/**
 * Which of the features that commands use the service offers, according to its own description;
 * undefined if that is missing or unreadable. `client` needs no key.
 */
export async function featuresOf(
  client: Pick<Client, 'call'>,
): Promise<readonly Feature[] | undefined> {
  try {
    const { paths } = await client.call('service.doc', {});
    return featuresIn(paths);
  } catch (error) {
    if (!(error instanceof MailerError) || others.includes(error.code)) throw error;
    return undefined;
  }
}

/** All features, as unknown. */
export function unknownFeatures(): readonly Feature[] {
  return [...byFeature()].map(([feature]) => ({ feature, offered: null, missing: [] }));
}

function featuresIn(paths: Readonly<Record<string, unknown>>): readonly Feature[] | undefined {
  const described = new Set(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods ?? {}).map((method) => endpoint(method, path)),
    ),
  );
  const features = [...byFeature()].map(([feature, ids]): Feature => {
    const missing = ids.filter((id) => {
      const { method, path } = operations[id];
      return !described.has(endpoint(method, path));
    });
    return { feature, offered: missing.length < ids.length, missing };
  });
  // A description without any of these operations describes something else.
  return features.some(({ offered }) => offered) ? features : undefined;
}

/** The operations of each feature: a resource, named as its commands name it. */
function byFeature(): ReadonlyMap<string, readonly OperationId[]> {
  const features = new Map<string, OperationId[]>();
  for (const { id } of Object.values(operations)) {
    const [resource = ''] = id.split('.', 1);
    // Operations about the service and the key themselves, which have no commands of their own.
    if (resource === 'service' || resource === 'account') continue;
    const feature = resource.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
    features.set(feature, [...(features.get(feature) ?? []), id]);
  }
  return features;
}

/** Method and path, regardless of a base path and of the names of parameters. */
function endpoint(method: string, path: string): string {
  const parts = path
    .slice(Math.max(path.indexOf('/v1/'), 0))
    .split('/')
    .map((part) => (/^[{:]/.test(part) ? '{}' : part));
  return `${method.toUpperCase()} ${parts.join('/')}`;
}
