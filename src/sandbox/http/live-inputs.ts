import * as z from 'zod';
import { createCampaignBody } from '../../api/campaign.ts';
import {
  createContactBody,
  createContactBookBody,
  updateContactBody,
  updateContactBookBody,
} from '../../api/contact.ts';
import { attachment, sendBody } from '../../api/email.ts';
import { sendEventBody } from '../../api/event.ts';
import { singleLine, text } from '../../api/fields.ts';
import { limits } from '../../api/limits.ts';
import { type Input, type OperationId, operations } from '../../api/operations.ts';
import { createSegmentBody } from '../../api/segment.ts';
import { createTemplateBody } from '../../api/template.ts';
import { segmentRules } from '../model/contact/segments.ts';

/**
 * Inputs of live servers where they differ from the contract: other required fields, other places,
 * or more accepted values. Invalid input that live servers accept is still rejected;
 * `docs/sandbox.md` lists it.
 */

const strings = z.record(z.string(), z.string());

const email = z
  .strictObject({
    ...sendBody.shape,
    // Whether its domain is verified is checked later.
    from: z.string(),
    templateId: z.string().optional(),
    variables: strings.optional(),
    inReplyToId: z.string().optional(),
    attachments: z
      .array(attachment.extend({ filename: singleLine }))
      .max(limits.attachmentsPerEmail)
      .optional(),
  })
  .refine(({ subject, templateId }) => Boolean(subject || templateId), {
    message: 'Either subject or templateId must be provided.',
  })
  .refine(({ text, html }) => Boolean(text || html), {
    message: 'Either text or html content must be provided.',
  });

const campaign = z
  .strictObject({
    ...createCampaignBody.shape,
    from: text,
    previewText: z.string().optional(),
    scheduledAt: z.string().optional(),
  })
  .refine(({ content, html }) => Boolean(content || html), {
    message: 'Either content or html must be provided.',
  });

const template = z
  .strictObject({ ...createTemplateBody.shape, subject: text })
  .refine(({ content, html }) => Boolean(content || html), {
    message: 'Either content or html must be provided.',
  });

const { params: ofContact } = operations['contact.update'].input.shape;
const { params: ofBook } = operations['contactBook.update'].input.shape;
const { params: ofCampaign, body: schedule } = operations['campaign.schedule'].input.shape;
/** Observed: operations that store contacts require longer ids of books. */
export const intoBook = z.strictObject({ contactBookId: text.min(3) });
/** Whether its domain is verified is checked later. */
const doubleOptInFrom = z.string().nullable().optional();
const byNumber = z.strictObject({ params: z.strictObject({ id: z.number() }) });

export type LiveEmail = z.infer<typeof email>;

const ownInputs = {
  'email.send': z.strictObject({ body: email }),
  // An empty list is rejected when it is sent.
  'email.batch': z.strictObject({ body: z.array(email).max(limits.emailsPerBatch) }),
  'campaign.create': z.strictObject({ body: campaign }),
  'campaign.schedule': z.strictObject({
    params: ofCampaign,
    body: z.strictObject({ ...schedule.shape, scheduledAt: z.string().optional() }),
  }),
  'contact.update': z.strictObject({
    params: ofContact,
    body: z.strictObject({ ...updateContactBody.shape, properties: strings.optional() }),
  }),
  'template.create': z.strictObject({ body: template }),
  'domain.create': z.strictObject({
    body: z.strictObject({ name: z.string(), region: z.string() }),
  }),
  'contact.create': z.strictObject({ params: intoBook, body: createContactBody }),
  'contact.bulkCreate': z.strictObject({
    params: intoBook,
    body: z.array(createContactBody).max(limits.contactsPerBulk),
  }),
  'contactBook.create': z.strictObject({
    body: z.strictObject({ ...createContactBookBody.shape, doubleOptInFrom }),
  }),
  'contactBook.update': z.strictObject({
    params: ofBook,
    body: z.strictObject({ ...updateContactBookBody.shape, doubleOptInFrom }),
  }),
  // An empty name is rejected by the handler, because a live server reports no field.
  'event.send': z.strictObject({
    body: z.strictObject({ ...sendEventBody.shape, name: z.string() }),
  }),
  'segment.create': z.strictObject({
    body: z.strictObject({ ...createSegmentBody.shape, rules: segmentRules }),
  }),
  'domain.get': byNumber,
  'domain.verify': byNumber,
  'domain.delete': byNumber,
} satisfies Partial<Record<OperationId, z.ZodObject>>;

/** The inputs of live servers, by operation. */
export const liveInputs: Partial<Record<OperationId, z.ZodObject>> = ownInputs;

/** The input of operation `Id` in the sandbox. */
export type LiveInput<Id extends OperationId> = Id extends keyof typeof ownInputs
  ? z.infer<(typeof ownInputs)[Id]>
  : Input<Id>;
