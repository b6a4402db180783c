import { hasTooManyParts } from './nesting.ts';

/** Whether a text is JSON, however deeply nested, of no more parts than this program reads. */
export function isJson(text: string): boolean {
  if (hasTooManyParts(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
