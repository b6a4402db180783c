import type { MiddlewareHandler } from 'hono';
import { inPortuguese } from './portuguese.ts';

/** English and Portuguese: each is what one of the two live servers answers in. */
export const languages = ['en', 'pt'] as const;

/** What the messages of answers are in. */
export type Language = (typeof languages)[number];

/** The language that a text names; undefined when it names none. */
export function languageNamed(text: string): Language | undefined {
  return languages.find((known) => known === text.toLowerCase());
}

/** The language of answers, which can be changed while requests come. */
export interface Speech {
  language(): Language;
  speak(language: Language): void;
  /** Goes back to the language of the beginning. */
  reset(): void;
}

/** The speech of this process alone. */
export function createSpeech(first: Language = 'en'): Speech {
  let now = first;
  return {
    language: () => now,
    speak: (language) => {
      now = language;
    },
    reset: () => {
      now = first;
    },
  };
}

/** Puts all that an answer says into the language of the moment. */
export function speakTo(speech: Speech): MiddlewareHandler {
  return async (context, next) => {
    await next();
    if (speech.language() === 'pt') context.res = await inPortuguese(context.res);
  };
}
