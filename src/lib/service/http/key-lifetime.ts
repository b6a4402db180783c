import { limits } from '../../../api/limits.ts';

/**
 * Repetitions stop this long before the service forgets a key, in milliseconds. It covers wrong clocks and
 * the duration of a request.
 */
export const margin = 10 * 60_000;

/** Milliseconds from the first request under a key until a repetition could be a second email. */
export const keyLifetime = limits.idempotencyRecordHours * 3_600_000 - margin;
