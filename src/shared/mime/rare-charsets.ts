import type { RareCharsets } from './charset.ts';

/** Loads iconv-lite, for charsets that `TextDecoder` does not have. */
export async function rareCharsets(): Promise<RareCharsets> {
  const { default: iconv } = await import('iconv-lite');
  return iconv;
}
