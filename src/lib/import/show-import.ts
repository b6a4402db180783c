import { done, type Result } from '../output/result.ts';
import { type ImportOutcome, importInWords } from './outcome.ts';

/** The result if there was nothing to send. */
export const nothingToImport = done({
  reply: { contacts: 0 },
  ids: [],
  message: 'There is nothing to send.',
  isNothing: true,
});

/** The result of an import. */
export function showImport(outcome: ImportOutcome): Result {
  const { failure, ...numbers } = outcome;
  const message = importInWords(numbers);
  const carriedOut = { ids: undefined, what: message, next: undefined };
  const isNothing = numbers.rows === 0;
  return done({
    reply: numbers,
    ids: [numbers.contactBookId],
    message,
    carriedOut,
    isNothing,
    failure,
  });
}
