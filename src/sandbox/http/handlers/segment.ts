import {
  bookOfSegment,
  removeSegment,
  sampledSegment,
  shownSegments,
  storeSegment,
} from '../../model/contact/segments.ts';
import type { Handlers } from '../call.ts';

export const segmentHandlers: Handlers<'segment'> = {
  'segment.list': ({ store }) => shownSegments(store),

  'segment.create': ({ store, now, input: { body } }) =>
    store.write(() => storeSegment(store, body, now)),

  'segment.preview': ({ store, input }) => sampledSegment(store, input.params.segmentId),

  'segment.materialize': ({ store, now, input: { params, body } }) =>
    store.write(() => bookOfSegment(store, params.segmentId, body.name, now)),

  'segment.delete'({ store, input }) {
    store.write(() => removeSegment(store, input.params.segmentId));
    return { success: true };
  },
};
