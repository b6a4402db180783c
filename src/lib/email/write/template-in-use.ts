import type { SendBody } from '../../../api/email.ts';
import type { Template } from '../../../api/template.ts';
import { byName, escapeHtml, merge } from '../../../shared/merge.ts';
import { fieldIn } from '../../../shared/placeholders.ts';
import { bestEffort } from '../../command/best-effort.ts';
import type { Context } from '../../command/context.ts';
import { ifShown } from '../../command/if-shown.ts';
import { placeholdersInDocument } from '../../content/editor-document.ts';
import { certainlyForeignIn } from '../../content/foreign-tags.ts';
import { lostCharactersOf } from '../../content/lost-characters.ts';
import { type Unfilled, unfilledIn } from '../../content/unfilled.ts';

/** A stored template that an email uses. */
export interface TemplateInUse {
  /** The names that it fills in. */
  readonly names: ReadonlySet<string>;
  /** Characters that were lost before it was stored. */
  readonly lost: ReturnType<typeof lostCharactersOf>;
  /** The placeholders that these variables leave unfilled, also those of other services. */
  unfilled(variables: Readonly<Record<string, unknown>>): readonly Unfilled[];
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
  const template = isPreview ? await bestEffort(context, ask) : await ifShown(ask, unread);
  if (template !== undefined) return inUse(template);
  context.notes.say('The service does not show the template, so its placeholders are not checked.');
  return undefined;
}

const unread =
  'Nothing was sent, because the template could not be read. To send the email without checking its placeholders, add --literal.';

function inUse({ name, id, subject, html, content }: Template): TemplateInUse {
  const place = `template ${name ?? id}`;
  const document = typeof content === 'string' ? content : JSON.stringify(content ?? null);
  const placeholders: readonly Unfilled[] = [
    ...unfilledIn(`${place}, subject`, subject, 'line'),
    ...certainlyForeignIn(`${place}, subject`, subject, 'line'),
    ...certainlyForeignIn(place, html, 'html'),
    ...(html
      ? unfilledIn(place, html, 'html')
      : placeholdersInDocument(document).map((written) => ({ place, written }))),
  ];
  const isFilled = ({ written }: Unfilled, variables: Readonly<Record<string, unknown>>) => {
    const field = fieldIn(written);
    if (field === undefined) return false;
    return field.fallback !== undefined || !!variables[field.name];
  };
  const placeOf = (field: string) => (field === 'subject' ? `${place}, subject` : place);
  return {
    lost: lostCharactersOf({ subject, ...(html ? { html } : { content: document }) }, placeOf),
    names: new Set(placeholders.flatMap(({ written }) => fieldIn(written)?.name ?? [])),
    unfilled: (variables) => placeholders.filter((one) => !isFilled(one, variables)),
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
