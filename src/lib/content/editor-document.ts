import { anyPlaceholder } from '../../shared/placeholders.ts';

/**
 * The placeholders in a document of the dashboard's editor (JSON): those in its texts and attributes, except in
 * code, and its variables, as `{{name}}`. Other texts have none: the service tells what is wrong with them.
 */
export function placeholdersInDocument(content: string): readonly string[] {
  const variables: string[] = [];
  try {
    const rest: unknown = JSON.parse(content, (_, node) => {
      const marks: unknown = node?.marks;
      const isCode =
        node?.type === 'codeBlock' ||
        (Array.isArray(marks) && marks.some((mark) => mark?.type === 'code'));
      if (isCode) return undefined;
      if (node?.type === 'variable') {
        const { id, name, fallback } = node.attrs ?? {};
        const otherwise = fallback ? `, fallback=${fallback}` : '';
        if (id ?? name) variables.push(`{{${id ?? name}${otherwise}}}`);
      }
      return node;
    });
    return [...(JSON.stringify(rest)?.match(anyPlaceholder) ?? []), ...variables];
  } catch {
    return [];
  }
}

/** The URLs of the images in such a document. A text that is none has none. */
export function sourcesInDocument(content: string): readonly string[] {
  const found: string[] = [];
  try {
    JSON.parse(content, (_, node) => {
      const source: unknown = node?.attrs?.src;
      if (typeof source === 'string') found.push(source);
      return node;
    });
    return found;
  } catch {
    return [];
  }
}
