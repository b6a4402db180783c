import type { MessageContent } from '../../../shared/check/message.ts';
import type { BodySource } from './source.ts';

/** Markdown as it is written: what is made of it no longer has the stars of a tag. */
export function writtenBodyOf({ format, body }: BodySource): Pick<MessageContent, 'writtenBody'> {
  return format === 'markdown' ? { writtenBody: body } : {};
}
