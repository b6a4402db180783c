import * as z from 'zod';
import { operation } from './operation.ts';
import { shown } from './shown.ts';

/** A stored template in a list: without its content. Times are ISO 8601 strings. */
export const templateListItem = z.looseObject({
  id: z.string(),
  name: z.string(),
  subject: shown(z.string()),
  createdAt: shown(z.string()),
  updatedAt: shown(z.string()),
});

export type TemplateListItem = z.infer<typeof templateListItem>;

/** Lists all templates, newest first. The original service lacks it: 404 in plain text. */
export const listTemplates = operation({
  id: 'template.list',
  method: 'GET',
  path: '/v1/templates',
  effect: 'reads',
  repeat: 'harmless',
  beyond: true,
  input: z.strictObject({}),
  reply: z.array(templateListItem),
});
