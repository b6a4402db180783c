import * as z from 'zod';

const text = z.string().nullable();

/** What the history of an email says about its status. */
export const lastEventShape = {
  lastEvent: text.describe('the status of its last event; null without events'),
  lastEventAt: text.describe('ISO 8601'),
  reason: text.describe('why it failed or is late, or what the receiving server said'),
  bounceType: text.describe('`Permanent`, `Transient` or `Undetermined`'),
  bounceSubType: text,
  diagnostic: text.describe("the receiving server's words about a bounce or delay"),
  complaint: text.describe('the kind of complaint, such as `abuse`'),
};

const shape = z.object(lastEventShape);

export type LastEvent = Readonly<z.infer<typeof shape>>;
