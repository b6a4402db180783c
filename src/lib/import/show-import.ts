import { done, type Result } from '../output/result.ts';
import { type ImportOutcome, importInWords } from './outcome.ts';

/** What a command shows where nothing was to be sent. */
export const nothingToImport = done({
  reply: { contacts: 0 },
  ids: [],
  message: 'There is nothing to send.',
});

/** An import that was carried out. */
export function showImport(outcome: ImportOutcome): Result {
  const { failure, ...numbers } = outcome;
  return done({ reply: numbers, ids: [outcome.run], message: importInWords(numbers), failure });
}
