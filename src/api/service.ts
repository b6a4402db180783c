import * as z from 'zod';
import { lenientObject } from './lenient.ts';
import { operation } from './operation.ts';

/** The service's description of its API, an OpenAPI document. It needs no key. */
export const describeService = operation('service.doc', {
  route: 'GET /v1/doc',
  beyond: true,
  input: z.strictObject({}),
  reply: lenientObject({ paths: z.record(z.string(), z.unknown()) }),
});
