/** Most characters of somebody else's text that an error shows. */
const mostShown = 2000;

/** The beginning of a text of any length, and how much was cut off. */
export function shortened(text: string, most = mostShown): string {
  if (text.length <= most) return text;
  // Not half of a surrogate pair.
  const kept = text.slice(0, most).replace(/[\ud800-\udbff]$/, '');
  return `${kept}… and ${text.length - kept.length} more characters`;
}
