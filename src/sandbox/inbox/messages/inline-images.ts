import { imagesOf } from '../../mail/receive/parse-message.ts';
import type { Store } from '../../store/store.ts';

/**
 * The most characters that images may add, because a hostile message may refer to one any number of times.
 */
const mostAdded = 64 * 1024 * 1024;

/**
 * The HTML of an email, with data URLs in place of the `cid:` URLs (RFC 2392) of its embedded images. Only a
 * message received over SMTP has them.
 */
export async function withInlineImages(store: Store, id: string, html: string): Promise<string> {
  if (!/\bcid:/i.test(html)) return html;
  const source = store.value<Uint8Array>('SELECT content FROM sources WHERE email_id = ?', id);
  if (source === undefined) return html;
  const images = await imagesOf(source);
  let added = 0;
  return html.replace(/\bcid:([^\s"'<>()]+)/gi, (url, name: string) => {
    const image = images.get(name);
    added += image?.length ?? 0;
    return image === undefined || added > mostAdded ? url : image;
  });
}
