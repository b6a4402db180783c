/** Matches attributes and styles that load an image from another server. Links do not. */
const remote =
  /(?:\b(?:src|srcset|background|poster)\s{0,9}=\s{0,9}|\burl\(\s{0,9})["']?\s{0,9}(?:https?:)?\/\//i;

/** Whether HTML may load images from other servers; a rough check. */
export function hasRemoteImages(html: string): boolean {
  return remote.test(html);
}
