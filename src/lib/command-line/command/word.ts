/** A word of a command line. `end` is `--` and everything after it. */
export interface Word {
  readonly text: string;
  readonly kind: 'command' | 'flag' | 'value' | 'argument' | 'end';
}
