import * as z from 'zod';
import { type FileRow, fileResults } from '../template/file-rows.ts';

/** A file in a directory of templates. */
export const fileRow = z.looseObject({
  file: z.string().describe('its name in the directory'),
  name: z.string().describe('name of the template'),
  id: z.string().nullable().describe('of the newest template of this name; null if there is none'),
  result: z
    .enum(fileResults)
    .describe('`new` and `changed` are still to be created, or were not written'),
}) satisfies z.ZodType<FileRow>;
