/**
 * A hint for a key that does not have the usual form: `us_` or `msk_`, an id, `_` and a secret. One live
 * server responds to such a key with a 500, without a reason. Undefined for a usual key.
 */
export function unusualKeyFormat(key: string): string | undefined {
  if (/^(us|msk)_[^_]+_./.test(key)) return undefined;
  return 'The API key is not in the usual format, us_ID_SECRET or msk_ID_SECRET. Some servers respond with 500 to such a key.';
}
