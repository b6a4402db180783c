import { done, type Result } from '../output/result.ts';
import { type ImportOutcome, importInWords } from './outcome.ts';

/** The result if there was nothing to send. */
export const nothingToImport = done({
  reply: { contacts: 0 },
  ids: [],
  message: 'There is nothing to send.',
});

/** The result of an import. */
export function showImport(outcome: ImportOutcome): Result {
  const { failure, ...numbers } = outcome;
  return done({ reply: numbers, ids: [outcome.run], message: importInWords(numbers), failure });
}
