import { apiKey } from './api-key.ts';
import { letterPath, sender, subject } from './letter.ts';
import type { Command } from './measure.ts';

/** Concurrent requests. */
export const concurrency = '8';

/** Sends the letter to everybody in a CSV file; the journal is in `state`. */
export function bulkRun(people: string, baseUrl: string, state: string): Command {
  // The loops send HTML only.
  const content = ['--from', sender, '--subject', subject, '--html-file', letterPath, '--no-text'];
  const manner = ['--concurrency', concurrency, '--yes', '--quiet'];
  return {
    words: ['email', 'batch', people, ...content, ...manner],
    env: {
      MAILER_STATE_DIR: state,
      MAILER_BASE_URL: baseUrl,
      MAILER_API_KEY: apiKey,
    },
  };
}
