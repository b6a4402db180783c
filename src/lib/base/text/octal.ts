/** A file mode as `ls` and `chmod` write it: `0644`. */
export function octal(mode: number): string {
  return mode.toString(8).padStart(4, '0');
}
