/**
 * What there is to say of a key that does not have the form of those that services of this kind give
 * out, `us_`, an id, `_` and a secret; undefined for one that does. One live server answers a key of
 * another form with 500, and does not say why.
 */
export function unusualKeyFormat(key: string): string | undefined {
  if (/^us_[^_]+_./.test(key)) return undefined;
  return 'The API key is not in the usual format, us_ID_SECRET. Some servers respond with 500 to such a key.';
}
