import { overviewInWords, overviewOf } from '../../service/policy/overview.ts';
import type { Context } from '../command/context.ts';
import { type Check, failed, ok } from './check.ts';

/** Reports the rules about who may be mailed, and where they are defined. No check if there are none. */
export async function checkPolicy({ policy }: Pick<Context, 'policy'>): Promise<Check[]> {
  const overview = await overviewOf(policy);
  if (overview === undefined) return [];
  const { problem } = overview;
  if (problem !== null) {
    const remedy = problem.details.hint ?? 'Correct it; until then, nothing is sent';
    return [failed('policy', problem.code, problem.message, remedy)];
  }
  return [ok('policy', overviewInWords(overview))];
}
