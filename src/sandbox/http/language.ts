import type { MiddlewareHandler } from 'hono';
import { inPortuguese } from './portuguese.ts';

/** English and Portuguese: each is what one of the two live servers answers in. */
export const languages = ['en', 'pt'] as const;

/** A language of messages. */
export type Language = (typeof languages)[number];

/** The language that a text names; undefined if it names none. */
export function languageNamed(text: string): Language | undefined {
  return languages.find((known) => known === text.toLowerCase());
}

/** The language of responses, which can be changed while requests come. */
export interface Speech {
  language(): Language;
  speak(language: Language): void;
  /** Restores the initial language. */
  reset(): void;
}

/** The language setting of this process. */
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

/** Translates each response into the current language. */
export function speakTo(speech: Speech): MiddlewareHandler {
  return async (context, next) => {
    await next();
    if (speech.language() === 'pt') context.res = await inPortuguese(context.res);
  };
}
