import type { Palette } from './palette.ts';

/** How to show cells to a person. */
export interface CellStyle {
  readonly palette: Palette;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly timeZone: string;
  /** Whether times show their offset from UTC, because the zone is not the machine's. */
  readonly offsets?: boolean;
  /** Whether to show only the relative part of a time, to save space. */
  readonly shortTimes?: boolean;
}
