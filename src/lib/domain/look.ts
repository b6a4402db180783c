import type { Domain } from '../../api/domain.ts';
import type { CallOptions } from '../client.ts';
import type { Context } from '../context.ts';
import { mayBeLacking } from '../lacking.ts';
import { findDomain } from './resolve.ts';

/**
 * A function that looks at a domain, again and again if need be. It asks for the domain alone: while
 * a verification is under way, this is what makes live servers look its DNS records up. Where that
 * leads nowhere the domain is taken from the list; a service that has no such operation is not asked
 * for it again, one that failed is.
 */
export function createLook(
  context: Pick<Context, 'call' | 'flags' | 'system'>,
): (id: number, options?: CallOptions) => Promise<Domain> {
  let offered = true;
  return async (id, options) => {
    if (!offered) return await findDomain(context, String(id), options);
    try {
      return await context.call('domain.get', { params: { id } }, options);
    } catch (error) {
      if (!mayBeLacking(error)) throw error;
      const domain = await findDomain(context, String(id), options);
      offered = error.details.status === 500;
      return domain;
    }
  };
}
