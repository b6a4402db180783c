import type { Template } from '../../../api/template.ts';

/** The dashboard editor's document of a template, as JSON; undefined if it has none. */
export function contentText({ content }: Template): string | undefined {
  if (typeof content === 'object' && content !== null) return JSON.stringify(content);
  return content || undefined;
}
