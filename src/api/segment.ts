import * as z from 'zod';
import { pathId, successReply, text } from './fields.ts';
import { lenientObject, nullish, nullishNumber, nullishString } from './lenient.ts';
import { operation } from './operation.ts';

/** How a condition compares a contact's field with its value. */
export const segmentOperators = ['eq', 'neq', 'contains', 'in'] as const;

/** How many of its conditions a contact must meet. */
export const segmentMatches = ['all', 'any'] as const;

export type SegmentOperator = (typeof segmentOperators)[number];

/**
 * One condition. A property is `properties.NAME`; services create a segment with any other field, and fail when it
 * is used. `in` has a list of values, `subscribed` a boolean.
 */
const condition = z.strictObject({
  field: text,
  op: z.enum(segmentOperators),
  value: z.union([z.string(), z.boolean(), z.array(z.string()).min(1)]),
});

export type SegmentCondition = z.infer<typeof condition>;

/** A segment in a response. Times are ISO 8601 strings. */
export const segment = lenientObject({
  id: z.string(),
  name: nullishString,
  contactBookId: nullishString,
  rules: nullish(
    lenientObject({
      match: nullishString,
      conditions: nullish(
        z.array(
          lenientObject({
            field: nullishString,
            op: nullishString,
            // Other clients may have stored anything, or nothing.
            value: z.unknown().optional(),
          }),
        ),
      ),
    }),
  ),
  createdAt: nullishString,
});

export type Segment = z.infer<typeof segment>;

const params = z.strictObject({ segmentId: pathId });

/** Lists all segments. The original service lacks this operation and responds with 404 in plain text. */
export const listSegments = operation('segment.list', {
  route: 'GET /v1/segments',
  beyond: true,
  input: z.strictObject({}),
  reply: z.array(segment),
});

/** A segment to create: the contacts of a book that meet all conditions, or any of them. */
export const createSegmentBody = z.strictObject({
  name: text,
  contactBookId: text.optional(),
  rules: z.strictObject({
    match: z.enum(segmentMatches),
    conditions: z.array(condition).min(1),
  }),
});

export type CreateSegmentBody = z.infer<typeof createSegmentBody>;

/** Creates a segment; another one may have the same name. */
export const createSegment = operation('segment.create', {
  route: 'POST /v1/segments',
  effect: 'changes',
  repeat: 'unsent',
  beyond: true,
  input: z.strictObject({ body: createSegmentBody }),
  reply: segment,
});

/** A contact in a sample, with the fields that the service returns. */
const sampleContact = lenientObject({
  email: nullishString,
  firstName: nullishString,
  lastName: nullishString,
});

export type SampleContact = z.infer<typeof sampleContact>;

/** Counts the contacts that meet the conditions now, and shows some of them. Changes nothing. */
export const previewSegment = operation('segment.preview', {
  route: 'POST /v1/segments/{segmentId}/preview',
  effect: 'reads',
  repeat: 'harmless',
  beyond: true,
  input: z.strictObject({ params }),
  reply: lenientObject({
    count: z.number(),
    sample: nullish(z.array(sampleContact)),
  }),
});

/** Creates a contact book with the contacts that meet the conditions now. */
export const materializeSegment = operation('segment.materialize', {
  route: 'POST /v1/segments/{segmentId}/materialize',
  effect: 'changes',
  repeat: 'unsent',
  beyond: true,
  input: z.strictObject({ params, body: z.strictObject({ name: text }) }),
  reply: lenientObject({
    listId: z.string(),
    name: nullishString,
    count: nullishNumber,
  }),
});

/** Deletes a segment; its contacts stay. */
export const deleteSegment = operation('segment.delete', {
  route: 'DELETE /v1/segments/{segmentId}',
  effect: 'deletes',
  repeat: 'harmless',
  beyond: true,
  input: z.strictObject({ params }),
  reply: successReply,
});
