import type { MiddlewareHandler } from 'hono';
import { inPortuguese } from './portuguese.ts';

/** English and Portuguese: each live server uses one of them. */
export const languages = ['en', 'pt'] as const;

export type Language = (typeof languages)[number];

export type LanguageSetting = ReturnType<typeof createSpeech>;

/** The current language of messages. `reset` restores the initial one. */
export function createSpeech(first: Language = 'en') {
  let now = first;
  const speak = (language: Language) => {
    now = language;
  };
  return { language: () => now, speak, reset: () => speak(first) };
}

/** Translates each response into the current language. */
export function translateResponses(speech: LanguageSetting): MiddlewareHandler {
  return async (context, next) => {
    await next();
    if (speech.language() === 'pt') context.res = await inPortuguese(context.res);
  };
}
