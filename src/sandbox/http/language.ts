import type { MiddlewareHandler } from 'hono';
import { inPortuguese } from './portuguese.ts';

/** English and Portuguese: each live server uses one of them. */
export const languages = ['en', 'pt'] as const;

export type Language = (typeof languages)[number];

/** The current language of messages. */
export interface LanguageSetting {
  language(): Language;
  speak(language: Language): void;
  /** Restores the initial language. */
  reset(): void;
}

export function createSpeech(first: Language = 'en'): LanguageSetting {
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
export function translateResponses(speech: LanguageSetting): MiddlewareHandler {
  return async (context, next) => {
    await next();
    if (speech.language() === 'pt') context.res = await inPortuguese(context.res);
  };
}
