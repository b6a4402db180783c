import { attempt } from './attempt.ts';
import { anyPlaceholder } from './placeholders.ts';

/**
 * The placeholders in a document of the dashboard's editor (JSON): those in its texts and attributes, except in
 * code, and its variables, as `{{name}}`. Other texts have none: the service tells what is wrong with them.
 */
export function placeholdersInDocument(content: string): readonly string[] {
  const variables: string[] = [];
  const rest = readDocument(content, (_, node) => {
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
}

/** The URLs of the images in such a document, and its links. A text that is none has none. */
export function urlsInDocument(content = '') {
  const images: string[] = [];
  const links: string[] = [];
  readDocument(content, (_, node) => {
    const { src, href, url } = node?.attrs ?? {};
    if (typeof src === 'string') images.push(src.trim());
    for (const one of [href, url]) if (typeof one === 'string') links.push(one.trim());
    return node;
  });
  return { images, links };
}

/** The text of such a document, a line for each of its blocks. A text that is none stays as it is. */
export function textOfDocument(content: string): string {
  const text = readDocument(content, (_, node) => {
    const { type, text, content, attrs, marks = [] } = node ?? {};
    if (type === 'text') {
      const link = Array.isArray(marks) ? marks.find((mark) => mark?.type === 'link') : undefined;
      return link?.attrs?.href ? `${text} (${link.attrs.href})` : text;
    }
    if (type === 'variable') return `{{${attrs?.id ?? attrs?.name ?? ''}}}`;
    if (!Array.isArray(content)) return typeof attrs?.text === 'string' ? `${attrs.text}\n` : node;
    const inner = content.filter((one) => typeof one === 'string').join('');
    return inner.endsWith('\n') ? inner : `${inner}\n`;
  });
  return typeof text === 'string' ? text : content;
}

/** What a document becomes, its nodes replaced from within outwards; undefined if the text is none. */
function readDocument(content: string, replaced: Parameters<typeof JSON.parse>[1]): unknown {
  // Each error of the parser takes as long as all other checks of a row.
  if (!content.includes('{')) return undefined;
  return attempt(() => JSON.parse(content, replaced), undefined);
}
