import * as z from 'zod';
import { pathId, singleLine, text } from './fields.ts';
import { lenientObject, nullish, nullishString } from './lenient.ts';
import { operation } from './operation.ts';

/** A stored template in a list: without its content. Times are ISO 8601 strings. */
export const templateListItem = lenientObject({
  id: z.string(),
  name: z.string(),
  subject: nullishString,
  createdAt: nullishString,
  updatedAt: nullishString,
});

export type TemplateListItem = z.infer<typeof templateListItem>;

/** A stored template. `content` is the document of the dashboard's editor, if it was written there. */
export const template = lenientObject({
  id: z.string(),
  name: nullishString,
  subject: nullishString,
  html: nullishString,
  content: nullish(z.union([z.string(), z.looseObject({})])),
});

export type Template = z.infer<typeof template>;

/** Lists all templates, newest first. The original service lacks this and responds with 404 in plain text. */
export const listTemplates = operation('template.list', {
  route: 'GET /v1/templates',
  beyond: true,
  input: z.strictObject({}),
  reply: z.array(templateListItem),
});

/** One template with its content. */
export const getTemplate = operation('template.get', {
  route: 'GET /v1/templates/{templateId}',
  beyond: true,
  input: z.strictObject({ params: z.strictObject({ templateId: pathId }) }),
  reply: template,
});

/** A template to create: `html`, or `content` in the JSON format of the dashboard's editor. */
export const createTemplateBody = z.strictObject({
  name: text,
  subject: singleLine,
  html: text.optional(),
  content: text.optional(),
});

export type CreateTemplateBody = z.infer<typeof createTemplateBody>;

/** Creates a template; another one may have the same name. There is no operation to update or delete one. */
export const createTemplate = operation('template.create', {
  route: 'POST /v1/templates',
  effect: 'changes',
  repeat: 'unsent',
  beyond: true,
  input: z.strictObject({ body: createTemplateBody }),
  reply: template,
});

/** Renders a document of the dashboard's editor as HTML. */
export const renderTemplate = operation('template.render', {
  route: 'POST /v1/templates/render',
  effect: 'reads',
  repeat: 'harmless',
  beyond: true,
  input: z.strictObject({
    body: z.strictObject({ content: text, previewText: z.string().optional() }),
  }),
  reply: lenientObject({ html: z.string() }),
});
