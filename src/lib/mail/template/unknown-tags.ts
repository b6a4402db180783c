import type { Advice } from '../message/gate.ts';

/** The flag that stores a template although it would be sent with placeholders in it. */
export const literalTemplateFlag = [
  '--literal',
  'create it with {{ placeholders }} and local URLs as written',
] as const;

/** What to do about tags that no email fills in. */
export function adviceOnTags(code: string): Advice {
  if (code !== 'placeholder' && code !== 'foreign-tag') return {};
  return {
    sentences: [
      'Templates fill in {{variable}} and {{variable, fallback=text}}, and nothing else; email batch has conditions and filters.',
    ],
  };
}
