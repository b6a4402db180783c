import type { Palette } from './palette.ts';

/** How cells are shown to a person. */
export interface CellStyle {
  readonly palette: Palette;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly timeZone: string;
  /** Only the relative part of a time, where there is little room. */
  readonly shortTimes?: boolean;
}
