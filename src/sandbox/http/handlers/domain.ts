import {
  addDomain,
  beginVerification,
  lookAtDomain,
  storedDomains,
  tellDomain,
} from '../../model/domains.ts';
import { ApiError, BareNotFound } from '../../store/errors.ts';
import type { Handlers } from '../call.ts';

export const domainHandlers: Handlers<'domain'> = {
  'domain.create': ({ store, now, input: { body } }) =>
    store.write(() => addDomain(store, body, now)),

  'domain.list': ({ store }) => storedDomains(store),

  'domain.get'({ store, now, input }) {
    const domain = lookAtDomain(store, input.params.id, now);
    // As on live servers.
    if (domain === undefined) throw new ApiError('INTERNAL_SERVER_ERROR', 'Domain not found');
    return domain;
  },

  'domain.verify'({ store, now, input }) {
    const started = store.write(() => beginVerification(store, input.params.id, now));
    if (!started) throw new BareNotFound('Domain not found');
    return { message: 'Domain verification started' };
  },

  'domain.delete'({ store, now, input }) {
    const { id } = input.params;
    const deleted = store.write(() => {
      tellDomain(store, 'domain.deleted', id, now);
      return store.run('DELETE FROM domains WHERE id = ?', id);
    });
    if (deleted === 0) throw new BareNotFound('Domain not found');
    return { id, success: true, message: 'Domain deleted successfully' };
  },
};
