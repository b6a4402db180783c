/** So many characters of a text that somebody else has written are shown in an error. */
const mostShown = 2000;

/** The beginning of a text that may be of any length, and how much was cut off. */
export function shortened(text: string, most = mostShown): string {
  if (text.length <= most) return text;
  // Not half of a surrogate pair.
  const kept = text.slice(0, most).replace(/[\ud800-\udbff]$/, '');
  return `${kept}… and ${text.length - kept.length} more characters`;
}
