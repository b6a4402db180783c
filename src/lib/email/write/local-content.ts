import type { Context } from '../../command/context.ts';
import type { BodySource } from '../../content/source.ts';
import { uncheckedTexts, uncheckedVariables } from '../../content/unchecked-fields.ts';
import { type Unfilled, unfilledIn } from '../../content/unfilled.ts';

/** An email as it is written, before its bodies are made. */
export interface WrittenEmail {
  /** The fields of the request, not checked yet. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly source: BodySource | undefined;
  /** What errors call the place of a field. */
  readonly placeOf: (field: string) => string;
  /** Whether to generate a text part. */
  readonly makesText: boolean;
}

/** The parts of an email that are not stored at the service. */
export interface LocalContent {
  readonly fields: Readonly<Record<string, string>>;
  /** Placeholders that stay as they are written. */
  readonly unfilled: readonly Unfilled[];
  /** The names by which values were looked up; undefined if that is not known. */
  readonly names?: ReadonlySet<string> | undefined;
}

/** Whether an email may have placeholders in what is not stored at the service. */
export function hasPlaceholders({ body, source }: WrittenEmail): boolean {
  const { subject, text, html } = body;
  return [subject, text, html, source?.body, source?.layout, source?.front.previewText].some(
    (one) => typeof one === 'string' && /\{\{|\{%/.test(one),
  );
}

/** Makes the bodies of an email, in which placeholders stay as they are written. */
export async function contentAsWritten(
  context: Context,
  { body, source, placeOf, makesText }: WrittenEmail,
): Promise<LocalContent> {
  const made = source && (await madeContent(context, source, { body, makesText }));
  const ofHtml = made?.placeholders ?? unfilledIn(placeOf('html'), body.html, 'html');
  const html = made?.bodies.html ?? uncheckedTexts(body).html ?? '';
  // Code in HTML is not marked in its text.
  const ofText = unfilledIn(placeOf('text'), body.text, 'text').filter(
    ({ written }) => !html.includes(written),
  );
  const ofSubject = unfilledIn(placeOf('subject'), body.subject, 'line');
  const ofProps = source?.format === 'react' ? uncheckedVariables(body) : undefined;
  return {
    fields: { ...made?.bodies },
    unfilled: [...ofSubject, ...withoutValues(ofHtml, ofProps), ...ofText],
  };
}

async function madeContent(
  context: Context,
  source: BodySource,
  { body, makesText }: Pick<WrittenEmail, 'body' | 'makesText'>,
) {
  const { makeContent } = await import('../../content/content.ts');
  const { subject } = uncheckedTexts(body);
  const { previewText } = source.front;
  const props = uncheckedVariables(body) ?? {};
  return await makeContent(context, source, {
    ...{ kind: 'email', subject, previewText, makesText, props },
  });
}

/** Without what is in a value: that is data. */
export function withoutValues(
  all: readonly Unfilled[],
  values: Readonly<Record<string, unknown>> = {},
): readonly Unfilled[] {
  const data = Object.values(values).map((value) => JSON.stringify(value) ?? '');
  return all.filter(({ written }) => !data.some((value) => value.includes(written)));
}
