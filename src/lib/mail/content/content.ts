import { anyPlaceholder, canUnsubscribe } from '../../../shared/placeholders.ts';
import type { Context } from '../../command-line/command/context.ts';
import { asHtml } from './as-html.ts';
import { layoutWithFooter, plainLayout, withMarkedPlaces } from './layout.ts';
import { type Bodies, createMaker } from './make.ts';
import { createHidden } from './placeholders.ts';
import type { BodySource } from './source.ts';

/** Properties of an email or a campaign besides its body. */
interface About {
  readonly kind: 'email' | 'campaign';
  readonly subject: string | undefined;
  readonly previewText: string | undefined;
  /** Whether to create a text part; a campaign has none. */
  readonly makesText: boolean;
  /** The props for a component; if undefined, the component's own examples. */
  readonly props?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Creates the parts of an email from a written body, in which placeholders stay as they are written, and tells which are
 * meant so. In a campaign, the plain layout gets a link to unsubscribe unless the text has one.
 */
export async function makeContent(
  context: Pick<Context, 'system' | 'notes'>,
  source: BodySource,
  about: About,
): Promise<{ readonly bodies: Bodies; readonly meant?: readonly string[] }> {
  const { format, body, layout, front } = source;
  const { kind, subject = '', previewText = '', makesText, props } = about;
  const isHtml = format === 'html';
  if (isHtml && !makesText && !source.inlineCss) return { bodies: { html: body } };
  const maker = await createMaker({ ...source, makesText }, context);
  const isCampaign = kind === 'campaign';
  const isHiding = isCampaign || format === 'markdown';
  const hidden = createHidden();
  const keep = (text: string) => (isHiding ? hidden.hidePlaceholders(text) : text);
  const hasFooter = isCampaign && !canUnsubscribe(body);
  const frame = layout ?? (hasFooter ? layoutWithFooter : plainLayout);
  const written = {
    body: keep(body),
    props,
    layout: keep(withMarkedPlaces(frame)),
    subject: keep(asHtml(subject)),
    preview: keep(asHtml(previewText)),
    lang: asHtml(front.lang ?? 'en'),
  };
  const made = await maker.make(written).finally(maker.end);
  // In a campaign, a placeholder may be an attribute or a part of one, so the service finds it as it is written.
  const html = hidden.show(made.html, isCampaign ? undefined : asHtml);
  const bodies = made.text === undefined ? { html } : { html, text: hidden.show(made.text) };
  // All others are hidden, so the braces of these have backslashes before them.
  return format === 'markdown'
    ? { bodies, meant: made.html.match(anyPlaceholder) ?? [] }
    : { bodies };
}
