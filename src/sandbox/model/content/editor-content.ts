import * as z from 'zod';
import { attempt } from '../../../shared/attempt.ts';
import { escapeHtml } from '../../../shared/merge.ts';

const attributes = z.record(z.string(), z.unknown()).optional();

/** A node of the dashboard's editor document (that of TipTap), with the fields used here. */
const editorNode = z.object({
  type: z.string(),
  text: z.string().optional(),
  attrs: attributes,
  marks: z.array(z.object({ type: z.string(), attrs: attributes })).optional(),
  get content() {
    return z.array(editorNode).optional();
  },
});

type EditorNode = z.infer<typeof editorNode>;

/** The most levels of lists and objects in a document; more would overflow the stack. */
const deepest = 400;

/** The HTML of an editor document (JSON), without the live editor's styling; undefined for other texts. */
export function renderContent(content: string): string | undefined {
  const value: unknown = attempt(() => JSON.parse(content), undefined);
  if (isDeeperThan(deepest, value)) return undefined;
  const parsed = editorNode.safeParse(value);
  return parsed.success ? renderNode(parsed.data) : undefined;
}

function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((one) => isDeeperThan(levels - 1, one));
}

const tags: Readonly<Record<string, string>> = {
  paragraph: 'p',
  bulletList: 'ul',
  orderedList: 'ol',
  listItem: 'li',
  blockquote: 'blockquote',
  codeBlock: 'pre',
  unsubscribeFooter: 'footer',
};

const markTags: Readonly<Record<string, string>> = {
  bold: 'strong',
  italic: 'em',
  underline: 'u',
  strike: 's',
  code: 'code',
};

function renderNode(node: EditorNode): string {
  if (node.type === 'text') return renderText(node);
  if (node.type === 'hardBreak') return '<br>';
  if (node.type === 'horizontalRule') return '<hr>';
  if (node.type === 'variable') return renderVariable(node);
  if (node.type === 'image' || node.type === 'logo') return renderImage(node);
  const inner = (node.content ?? []).map(renderNode).join('');
  const link = attribute(node.attrs, 'href') ?? attribute(node.attrs, 'url');
  if (link !== undefined) {
    const label = inner || escapeHtml(attribute(node.attrs, 'text') ?? link);
    return `<a href="${escapeHtml(link)}">${label}</a>`;
  }
  const tag = node.type === 'heading' ? headingTag(node) : ownTag(tags, node.type);
  return tag === undefined ? inner : `<${tag}>${inner}</${tag}>`;
}

function renderText(node: EditorNode): string {
  let html = escapeHtml(node.text ?? '');
  for (const mark of node.marks ?? []) {
    const link = attribute(mark.attrs, 'href');
    const tag = ownTag(markTags, mark.type);
    if (mark.type === 'link' && link) html = `<a href="${escapeHtml(link)}">${html}</a>`;
    else if (tag !== undefined) html = `<${tag}>${html}</${tag}>`;
  }
  return html;
}

function ownTag(of: Readonly<Record<string, string>>, type: string): string | undefined {
  return Object.hasOwn(of, type) ? of[type] : undefined;
}

function headingTag({ attrs }: EditorNode): string {
  const level = attrs?.level;
  return level === 2 || level === 3 ? `h${level}` : 'h1';
}

function renderImage({ attrs }: EditorNode): string {
  const source = escapeHtml(attribute(attrs, 'src') ?? '');
  const label = escapeHtml(attribute(attrs, 'alt') ?? attribute(attrs, 'title') ?? '');
  const image = `<img src="${source}" alt="${label}">`;
  const link = attribute(attrs, 'externalLink');
  return link ? `<a href="${escapeHtml(link)}">${image}</a>` : image;
}

function renderVariable({ attrs }: EditorNode): string {
  const name = escapeHtml(attribute(attrs, 'id') ?? attribute(attrs, 'name') ?? '');
  const fallback = attribute(attrs, 'fallback');
  return fallback ? `{{${name},fallback=${withoutBraces(fallback)}}}` : `{{${name}}}`;
}

/** Text in HTML that cannot end the placeholder around it. */
function withoutBraces(text: string): string {
  return escapeHtml(text).replaceAll('{', '&#123;').replaceAll('}', '&#125;');
}

function attribute(attrs: Record<string, unknown> | undefined, name: string): string | undefined {
  const value = attrs?.[name];
  return typeof value === 'string' ? value : undefined;
}
