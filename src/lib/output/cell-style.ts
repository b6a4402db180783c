import type { Palette } from './palette.ts';

/** How cells are shown to a person. */
export interface CellStyle {
  readonly palette: Palette;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly timeZone: string;
  /** Whether times have their offset from UTC: the zone is not the machine's. */
  readonly offsets?: boolean;
  /** Only the relative part of a time, where there is little room. */
  readonly shortTimes?: boolean;
}
