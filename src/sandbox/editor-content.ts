import * as z from 'zod';
import { escapeHtml } from './merge.ts';

/** A node of the dashboard's editor document (that of TipTap), as far as it matters here. */
interface EditorNode {
  type: string;
  text?: string | undefined;
  attrs?: Record<string, unknown> | undefined;
  marks?: { type: string; attrs?: Record<string, unknown> | undefined }[] | undefined;
  content?: EditorNode[] | undefined;
}

const attributes = z.record(z.string(), z.unknown()).optional();

const editorNode: z.ZodType<EditorNode> = z.lazy(() =>
  z.object({
    type: z.string(),
    text: z.string().optional(),
    attrs: attributes,
    marks: z.array(z.object({ type: z.string(), attrs: attributes })).optional(),
    content: z.array(editorNode).optional(),
  }),
);

/**
 * The HTML of a campaign's `content`, the JSON of an editor document, or undefined when it is not
 * one. The tags are plain: enough to read the message, not the live editor's styling.
 */
export function renderContent(content: string): string | undefined {
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch {
    return undefined;
  }
  const parsed = editorNode.safeParse(value);
  return parsed.success ? renderNode(parsed.data) : undefined;
}

const tags: Readonly<Record<string, string>> = {
  paragraph: 'p',
  heading: 'h2',
  bulletList: 'ul',
  orderedList: 'ol',
  listItem: 'li',
  blockquote: 'blockquote',
};

const markTags: Readonly<Record<string, string>> = { bold: 'strong', italic: 'em', underline: 'u' };

function renderNode(node: EditorNode): string {
  if (node.type === 'text') return renderText(node);
  if (node.type === 'hardBreak') return '<br>';
  if (node.type === 'variable') return renderVariable(node);
  const inner = (node.content ?? []).map(renderNode).join('');
  const link = attribute(node.attrs, 'href') ?? attribute(node.attrs, 'url');
  if (link !== undefined) {
    const label = inner || escapeHtml(attribute(node.attrs, 'text') ?? link);
    return `<a href="${escapeHtml(link)}">${label}</a>`;
  }
  const tag = tags[node.type];
  return tag === undefined ? inner : `<${tag}>${inner}</${tag}>`;
}

function renderText(node: EditorNode): string {
  let html = escapeHtml(node.text ?? '');
  for (const mark of node.marks ?? []) {
    const link = attribute(mark.attrs, 'href');
    const tag = markTags[mark.type];
    if (mark.type === 'link' && link) html = `<a href="${escapeHtml(link)}">${html}</a>`;
    else if (tag !== undefined) html = `<${tag}>${html}</${tag}>`;
  }
  return html;
}

function renderVariable(node: EditorNode): string {
  const name = attribute(node.attrs, 'id') ?? attribute(node.attrs, 'name') ?? '';
  const fallback = attribute(node.attrs, 'fallback');
  return fallback === undefined ? `{{${name}}}` : `{{${name},fallback=${escapeHtml(fallback)}}}`;
}

function attribute(attrs: Record<string, unknown> | undefined, name: string): string | undefined {
  const value = attrs?.[name];
  return typeof value === 'string' ? value : undefined;
}
