import { positionsIn } from '../../shared/check/positions.ts';
import type { Context } from '../command/context.ts';
import { asHtml } from './as-html.ts';
import { canUnsubscribe, layoutWithFooter, plainLayout, withMarkedPlaces } from './layout.ts';
import { type Bodies, createMaker } from './make.ts';
import { createHidden } from './placeholders.ts';
import type { BodySource } from './source.ts';
import { type Unfilled, unfilledIn } from './unfilled.ts';

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
 * Creates the parts of an email from a written body, and finds the placeholders in its HTML. These stay as they are written. In a campaign, the
 * plain layout gets a link to unsubscribe unless the text has one.
 */
export async function makeContent(
  { system }: Pick<Context, 'system'>,
  source: BodySource,
  about: About,
): Promise<{ readonly bodies: Bodies; readonly placeholders: readonly Unfilled[] }> {
  const { format, body, layout, front, flag } = source;
  const { kind, subject = '', previewText = '', makesText, props } = about;
  const isHtml = format === 'html';
  const ofBody = isHtml ? unfilledIn(flag, body, 'html') : [];
  if (isHtml && !makesText && !source.inlineCss) {
    return { bodies: { html: body }, placeholders: ofBody };
  }
  const maker = await createMaker({ ...source, makesText }, system);
  const isCampaign = kind === 'campaign';
  const isHiding = isCampaign || format === 'markdown';
  const hidden = createHidden();
  const keep = (text: string, part: 'body' | 'layout' | 'subject' | 'preview') =>
    isHiding ? hidden.hidePlaceholders(text, { part, source: text }) : text;
  const hasFooter = isCampaign && !canUnsubscribe(body);
  const frame = layout ?? (hasFooter ? layoutWithFooter : plainLayout);
  const written = {
    body: keep(body, 'body'),
    props,
    layout: keep(withMarkedPlaces(frame), 'layout'),
    subject: keep(asHtml(subject), 'subject'),
    preview: keep(asHtml(previewText), 'preview'),
    lang: asHtml(front.lang ?? 'en'),
  };
  const made = await maker.make(written).finally(maker.end);
  // In a campaign, a placeholder may be an attribute or a part of one, so the service finds it as it is written.
  const html = hidden.show(made.html, isCampaign ? undefined : asHtml);
  const bodies = made.text === undefined ? { html } : { html, text: hidden.show(made.text) };
  if (isHtml) return { bodies, placeholders: ofBody };
  const lineIn = (text: string, at: number) => positionsIn(text)(at).line;
  const placeholders = hidden.placeholdersIn(made.html).flatMap(({ written: one, origin }) => {
    if (origin?.part === 'subject') return [];
    // In Markdown, all others are hidden, so its braces have backslashes before them.
    if (origin === undefined && format === 'markdown') return [];
    if (origin?.part === 'layout') {
      // Without a layout of the user's, the place is that of the unsubscribe link.
      return layout === undefined
        ? []
        : [{ place: '--layout', line: lineIn(origin.source, origin.at), written: one }];
    }
    if (origin?.part === 'preview') return [{ place: `${source.name}: previewText`, written: one }];
    // What a component or an included file has is found only in the result.
    const at = origin?.at ?? body.indexOf(one);
    const line = at === -1 ? undefined : source.linesBefore + lineIn(body, at);
    return [{ place: flag, line, written: one }];
  });
  return { bodies, placeholders };
}
