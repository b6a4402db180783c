import { emailStatuses } from '../../../../api/email-status.ts';
import { parseChoice } from '../../../base/input/choice.ts';
import { rowErrorCodes } from '../../bulk/show/row-error-codes.ts';

/** The states of a run's rows: the status of an email, `UNLISTED` if the service does not list it, or why there is none. */
export const deliveryStatuses: readonly string[] = [...emailStatuses, 'UNLISTED', ...rowErrorCodes];

/** The statuses of a repeated `--status`, also several separated by commas, in lower case. */
export function deliveryStatusesGiven(values: readonly string[]): string[] {
  const parse = parseChoice('--status', [
    ...new Set(deliveryStatuses.map((one) => one.toLowerCase())),
  ]);
  return values.flatMap((value) => value.split(',').map((word) => parse(word.trim())));
}
