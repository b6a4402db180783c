import { consequences, type HandlerCheck } from './consequences.ts';
import type { HandlerResponse } from './send-call.ts';
import type { Grade } from './webhook-shapes.ts';

/** Milliseconds after which a response is close to the limit of ten seconds. */
const slow = 5000;

/** Judges the responses to the calls of a check, which a good handler accepts or rejects. */
export function gradeOf(
  check: HandlerCheck,
  wanted: 'accept' | 'reject',
  responses: readonly HandlerResponse[],
): Grade {
  const answered = responses.map(({ status }) => status);
  const milliseconds = Math.max(...responses.map((one) => one.milliseconds));
  const base = {
    check,
    answered,
    expected: wanted === 'accept' ? '200 to 299' : '400 to 499',
    milliseconds,
  };
  const isAccepted = responses.every(({ delivered }) => delivered);
  if (wanted === 'accept' && !isAccepted) {
    // The service sends one call at a time, and bodies of this size are rare.
    const isMild = answered.every((one) => one === 413 || one === 429 || isSuccess(one));
    return { ...base, outcome: isMild ? 'risky' : 'failed', consequence: consequences[check] };
  }
  if (wanted === 'reject' && answered.some((one) => isSuccess(one))) {
    return { ...base, outcome: 'failed', consequence: consequences[check] };
  }
  if (wanted === 'reject' && answered.some((one) => one === null || one < 400 || one > 499)) {
    const consequence = 'It rejects the call as if something had broken: respond with 401.';
    return { ...base, outcome: 'risky', consequence };
  }
  if (milliseconds > slow) {
    const consequence =
      'It is slow: after ten seconds a call has failed. Respond first, then work.';
    return { ...base, outcome: 'risky', consequence };
  }
  return { ...base, outcome: 'ok', consequence: '' };
}

function isSuccess(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300;
}
