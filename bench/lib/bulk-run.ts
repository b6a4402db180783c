import { apiKey } from './api-key.ts';
import { letterPath, sender, subject } from './letter.ts';
import type { Command } from './measure.ts';

/** Requests under way at the same time. */
export const concurrency = '8';

/** The program sends the letter to everybody in a CSV file; its journal is in `state`. */
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
