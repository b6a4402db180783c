import * as z from 'zod';
import { lenientObject } from '../../../api/lenient.ts';
import { digestShape, planShape } from '../../service/http/plan-shape.ts';

/** A file in a directory of templates, and how it compares with the newest template of its name, or what was done. */
export const fileRow = lenientObject({
  file: z.string().describe('its name in the directory'),
  name: z.string().describe('name of the template'),
  id: z.string().nullable().describe('of the newest template of this name; null if there is none'),
  result: z
    .enum(['unchanged', 'new', 'changed', 'created', 'written'])
    .describe('`new` and `changed` are still to be created, or were not written'),
});

/** What a push would do. */
export const pushPlan = lenientObject({
  ...planShape,
  digest: digestShape,
  data: z.array(fileRow).describe('the files of the directory'),
});
