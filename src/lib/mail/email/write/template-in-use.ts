import type { SendBody } from '../../../../api/email.ts';
import type { Template } from '../../../../api/template.ts';
import { placeholder } from '../../../../shared/check/checks/placeholder.ts';
import { collect } from '../../../../shared/check/collect.ts';
import { messageOfFields } from '../../../../shared/check/message-of-fields.ts';
import { byName, escapeHtml, merge } from '../../../../shared/merge.ts';
import { isNoValue } from '../../../../shared/no-value.ts';
import { anyPlaceholder, fieldIn } from '../../../../shared/placeholders.ts';
import { bestEffort } from '../../../command-line/command/best-effort.ts';
import type { Context } from '../../../command-line/command/context.ts';
import { fetchIfAvailable } from '../../../command-line/command/fetch-if-available.ts';
import type { WrittenMessage } from '../../message/gate.ts';

/** A stored template that an email uses. */
export interface TemplateInUse {
  /** The names that it fills in. */
  readonly names: ReadonlySet<string>;
  /** What recipients get of it with these variables. */
  written(variables: Readonly<Record<string, unknown>>): WrittenMessage;
  /** The email as the service makes it. */
  filled(body: SendBody): SendBody;
}

/**
 * Reads a stored template. If the service does not show it, a note says so, and it is undefined. Unless it is only for a
 * preview, any other failure is an error.
 */
export async function readTemplateInUse(
  context: Context,
  templateId: string,
  isPreview: boolean,
): Promise<TemplateInUse | undefined> {
  const ask = async (within = {}) =>
    await context.call('template.get', { params: { templateId } }, within);
  const template = isPreview ? await bestEffort(context, ask) : await fetchIfAvailable(ask, unread);
  if (template !== undefined) return inUse(template);
  context.notes.say('The service does not show the template, so it is not checked.');
  return undefined;
}

const unread =
  'Nothing was sent, because the template could not be read. To send the email without checking it, add --literal.';

function inUse(template: Template): TemplateInUse {
  const { name, id, subject, html } = template;
  const place = `template ${name ?? id}`;
  const fields = html ? { subject, html } : { subject, content: template.content };
  // A service may show less than all of it.
  const isPart = !html && !template.content;
  const message = { ...messageOfFields(fields, 'email'), isPart };
  const placeholders = collect({ ...message, fills: () => false }, [placeholder]);
  return {
    names: new Set(placeholders.flatMap(({ item }) => fieldIn(item)?.name ?? [])),
    written(variables) {
      const fill = (text: string | null | undefined, encode = (value: string) => value) =>
        text?.replace(anyPlaceholder, (one) => {
          const { name = '', fallback } = fieldIn(one) ?? {};
          const value = variables[name];
          if (!isNoValue(value)) return encode(String(value));
          // Blanks keep the service from the fallback.
          return value ? one : (fallback ?? one);
        });
      const texts = { subject: fill(subject), html: fill(html, escapeHtml) };
      const fills = (one: string) => fill(one) !== one;
      return {
        message: { ...message, ...texts, fills: html ? () => false : fills },
        placeOf: (part) => (part === 'subject' ? `${place}, subject` : place),
      };
    },
    filled(body) {
      const values = Object.entries(body.variables ?? {});
      const lookup = byName(Object.fromEntries(values.map(([key, value]) => [key, String(value)])));
      return {
        ...body,
        ...(subject ? { subject: merge(subject, lookup, (value) => value) } : {}),
        ...(html ? { html: merge(html, lookup, escapeHtml) } : {}),
      };
    },
  };
}
