import type { Context } from '../command/context.ts';
import { asHtml } from './as-html.ts';
import { canUnsubscribe, layoutWithFooter, plainLayout, withMarkedPlaces } from './layout.ts';
import { type Bodies, createMaker } from './make.ts';
import { createHidden } from './placeholders.ts';
import type { BodySource } from './source.ts';

/** What an email or a campaign has besides its body. */
interface About {
  readonly kind: 'email' | 'campaign';
  readonly subject: string | undefined;
  readonly previewText: string | undefined;
  /** Whether a text part is to be made; a campaign has none. */
  readonly makesText: boolean;
  /** What a component is rendered with; its own examples if undefined. */
  readonly props?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Makes the parts of an email from a body as it is written. In a campaign, placeholders of the service stay,
 * and a link to unsubscribe is added to the plain layout, unless the text has one.
 */
export async function makeContent(
  { system }: Pick<Context, 'system'>,
  source: BodySource,
  about: About,
): Promise<Bodies> {
  const { format, body, layout, front } = source;
  const { kind, subject = '', previewText = '', makesText, props } = about;
  if (format === 'html' && !makesText && !source.inlineCss) return { html: body };
  const maker = await createMaker({ ...source, makesText }, system);
  const isCampaign = kind === 'campaign';
  const hidden = createHidden();
  const keep = (text: string) => (isCampaign ? hidden.hidePlaceholders(text) : text);
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
  const html = hidden.show(made.html);
  return made.text === undefined ? { html } : { html, text: hidden.show(made.text) };
}
