const words =
  '(?<![\\p{L}])(?:(?:one[- ]time )?pass ?code|\\p{L}{0,30}codes?|\\p{L}{0,20}kode|\\p{L}{0,20}kodu?\\p{L}{0,4}|kód|koodi|c[oó]digo|codice|(?:one[- ]time )?pin|otp|tan|mtan|(?:one[- ]?time|temporary)[- ]password|(?:verification|security|confirmation|access|log-?in|sign-?in|authentication) (?:number|key|token)|(?:bestätigungs|sicherheits)nummer|einmal-?(?:kennwort|passwort)|код|κωδικ\\p{L}{1,3})(?![\\p{L}])|コード|验证码|驗證碼|代码|인증번호|코드|קוד|رمز';

/** Compounds that end in `code` but are no codes to type. */
const otherWords =
  /(?:bar|qr|zip|post|uni|en|de|source|shell|byte|trans|g|m|vs|x|geo)[- ]?codes?$|(?:postal|area|country|error|dress|tracking|promo\p{L}*|coupon|discount|voucher|gift|referral|booking|reservation|order|product|status|sort|swift|dialling|dialing|tax|exit|colou?r|source|http|reference|customer|client|member|company|branch|store|partner|previous|old)\s+codes?$|(?:rabatt|gutschein|aktions|buchungs|fehler|länder|farb|kunden)codes?$/iu;

/** What follows `code` in the name of another one. */
const otherEnd =
  /^\s+(?:postale?|promo\p{L}*|barres?|source|de descuento|sconto|réduction|de réduction|parrain\p{L}*|of conduct|review)(?!\p{L})/iu;

const codeWord = new RegExp(words, 'giu');

/** Where the last word for a code in a text ends; undefined if there is none, or only a word for another code. */
export function afterWord(text: string): string | undefined {
  let rest: string | undefined;
  for (const match of text.matchAll(codeWord)) {
    const end = match.index + match[0].length;
    // `tan` and `pin` are words of their own, too.
    const isWritten = !/^(?:tan|pin)$/i.test(match[0]) || match[0] === match[0].toUpperCase();
    const isOther = otherWords.test(text.slice(0, end)) || otherEnd.test(text.slice(end));
    rest = isOther || !isWritten ? undefined : text.slice(end);
  }
  return rest;
}
