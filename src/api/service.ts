import * as z from 'zod';
import { operation } from './operation.ts';

/** The service's description of its API, an OpenAPI document. It needs no key. */
export const describeService = operation({
  id: 'service.doc',
  method: 'GET',
  path: '/v1/doc',
  effect: 'reads',
  repeat: 'harmless',
  beyond: true,
  input: z.strictObject({}),
  reply: z.looseObject({ paths: z.record(z.string(), z.unknown()) }),
});
