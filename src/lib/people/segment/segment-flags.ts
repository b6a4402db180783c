import type { CreateSegmentBody } from '../../../api/segment.ts';
import type { Flags } from '../../command-line/command/command.ts';
import { repeatableOption } from '../../command-line/command/flags/repeatable.ts';

/** The flag that sets each field of a segment. A field without one fails the type check. */
export const segmentFlagOf = {
  name: '--name',
  contactBookId: '--book',
  rules: '--where',
} as const satisfies Record<keyof CreateSegmentBody, `--${string}`>;

/** Declares the flags of a segment to create. */
export function addSegmentFlags(command: Flags) {
  return command
    .option('--name <text>', 'name')
    .option('--book <book>', 'contact book to select contacts from: id or exact name')
    .addOption(repeatableOption('--where <condition>', 'condition, as below; repeat'))
    .option('--any', 'select contacts that match any condition (default: all conditions)');
}

export type SegmentFlags = ReturnType<ReturnType<typeof addSegmentFlags>['opts']>;
