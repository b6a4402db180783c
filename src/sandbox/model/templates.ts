import type { CreateTemplateBody } from '../../api/template.ts';
import { ApiError, orNotFound } from '../store/errors.ts';
import type { Store } from '../store/store.ts';
import { renderContent } from './content/editor-content.ts';
import { newId } from './ids.ts';
import { isoDates } from './iso.ts';

export interface TemplateRow {
  id: string;
  name: string;
  subject: string;
  /** Null if it was seeded with only `content`. */
  html: string | null;
  /** The document of the dashboard's editor, as JSON. */
  content: string | null;
  createdAt: number;
  updatedAt: number;
}

/** Selects `TemplateRow`s. */
export const selectTemplate =
  'SELECT id, name, subject, html, content, created_at, updated_at FROM templates';

/** All templates as the API lists them, newest first. */
export function listedTemplates(store: Store) {
  return store
    .all<TemplateRow>(`${selectTemplate} ORDER BY created_at DESC, seq DESC`)
    .map(({ id, name, subject, ...row }) => ({ id, name, subject, ...isoDates(row) }));
}

/** A template as the API shows it. Throws `ApiError` NOT_FOUND if there is none. */
export function shownTemplate(store: Store, templateId: string) {
  const { id, name, subject, html, content } = orNotFound(
    'Template',
    templateOf(store, templateId),
  );
  return { id, name, subject, html, content };
}

export function templateOf(store: Store, id: string): TemplateRow | undefined {
  return store.one<TemplateRow>(`${selectTemplate} WHERE id = ?`, id);
}

/** The HTML of a template, rendered from `content` if necessary. */
export function templateHtml({ html, content }: Pick<TemplateRow, 'html' | 'content'>): string {
  return html ?? (content === null ? undefined : renderContent(content)) ?? '';
}

/** Stores a template and returns its id. Throws `ApiError` BAD_REQUEST for invalid content. */
export function storeTemplate(
  store: Store,
  { html, content, ...named }: CreateTemplateBody,
  now: number,
): string {
  const rendered = content === undefined ? null : contentHtml(content);
  const id = newId(now);
  const written = { html: html ?? rendered, content };
  store.insert('templates', { id, ...named, ...written, createdAt: now, updatedAt: now });
  return id;
}

/** The HTML of an editor document. Throws `ApiError` BAD_REQUEST for anything else. */
export function contentHtml(content: string): string {
  const html = renderContent(content);
  if (html !== undefined) return html;
  throw new ApiError('BAD_REQUEST', 'Invalid content: it must be the JSON of an editor document');
}
