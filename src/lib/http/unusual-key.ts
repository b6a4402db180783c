/**
 * A hint for a key that is not `us_`, an id, `_` and a secret, as services of this kind issue them: one
 * live server responds with 500 to such a key, without a reason. Undefined for a usual key.
 */
export function unusualKeyFormat(key: string): string | undefined {
  if (/^us_[^_]+_./.test(key)) return undefined;
  return 'The API key is not in the usual format, us_ID_SECRET. Some servers respond with 500 to such a key.';
}
