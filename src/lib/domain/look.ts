import type { Domain } from '../../api/domain.ts';
import type { Context } from '../command/context.ts';
import type { CallOptions } from '../http/client.ts';
import { withFallback } from '../http/lacking.ts';
import { findDomain } from './resolve.ts';

/**
 * A function that looks at a domain, again and again if need be. It asks for the domain alone: while
 * a verification is under way, this is what makes live servers look its DNS records up. Where that
 * leads nowhere the domain is taken from the list.
 */
export function createLook(
  context: Pick<Context, 'call' | 'flags' | 'system'>,
): (id: number, options?: CallOptions) => Promise<Domain> {
  return withFallback(
    (id: number, options?: CallOptions) => context.call('domain.get', { params: { id } }, options),
    (id, options) => findDomain(context, String(id), options),
  );
}
