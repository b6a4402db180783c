import type { MessageContent } from '../../../../shared/check/message.ts';
import type { Context } from '../../../command-line/command/context.ts';
import type { BodySource } from '../../content/source.ts';
import { uncheckedTexts, uncheckedVariables } from '../../content/unchecked-fields.ts';

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
export interface LocalContent extends Pick<MessageContent, 'fills' | 'isData' | 'meant'> {
  readonly fields: Readonly<Record<string, string>>;
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
  { body, source, makesText }: WrittenEmail,
): Promise<LocalContent> {
  if (source === undefined) return { fields: {} };
  const { makeContent } = await import('../../content/content.ts');
  const { subject } = uncheckedTexts(body);
  const { previewText } = source.front;
  const props = uncheckedVariables(body) ?? {};
  const about = { kind: 'email', subject, previewText, makesText, props } as const;
  const { bodies, meant } = await makeContent(context, source, about);
  return {
    fields: { ...bodies },
    meant,
    isData: source.format === 'react' ? isIn(props) : undefined,
  };
}

/** Tells braces in a value from placeholders: a value is data. */
export function isIn(values: Readonly<Record<string, unknown>>): (written: string) => boolean {
  const data = Object.values(values).map((value) => JSON.stringify(value) ?? '');
  return (written) => data.some((value) => value.includes(written));
}
