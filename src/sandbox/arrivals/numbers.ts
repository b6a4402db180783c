/** Whether it is part of an amount, a date, a time, a phone number, a web address or a longer code. */
export function isPart(before: string, after: string): boolean {
  return (
    /\p{N}(?:[\s.,:/()-]?|\)\s|\s[(/–-]\s?|[/–-]\s)$|[$€£¥₹+/=&#@_\\-]\s?$|[?&]\S{0,100}$/u.test(
      before,
    ) ||
    /(?<!\p{L})(?:EUR|USD|GBP|CHF|INR|JPY|BRL|SEK|NOK|DKK|PLN|Rs\.?|R\$)\s?$/u.test(before) ||
    /^(?:[\s.,:/-]?\p{N}|\s?[/–-]\s?\p{N}|\s?\(\d{1,3}\)\s?\d|\s?[$€£¥₹%‰°年元円원]|[+@_/\\=&-])/u.test(
      after,
    )
  );
}

/** What stands before other numbers: names of them. */
export const labels =
  /(?<!\p{L})\p{L}{0,20}(?:codes?|postale?|promo|project|product|total|amount|date|due|price|payment|to|summe|betrag|datum|order|invoice|receipt|ticket|account|customer|reference|ref|number|nummer|numero|número|numéro|no|nr|nº|num|id|case|article|item|model|version|suite|room|floor|flat|box|street|str|avenue|ave|road|platform|gate|seat|flight|phone|tel|fax|mobile|call|dial|page|line|error|rfc|iso|din|build|plz|blz|hrb|hra|siret|siren|rcs|kvk|cvr|vat|ending(?: (?:in|with))?|ends (?:in|with)|registered in \p{L}{1,20}|bestellung|rechnung|kunde|auftrag|konto|artikel|telefon|commande|facture|pedido|factura|fattura|ordine)(?:\s+(?:is|ist|confirmation))?[\s.:#-]*$/iu;

/** The end of a list of numbers, or a state before a postcode. */
export const listed = /\p{N}, $|(?<=[,\p{L}]\s)[A-Z]{2}\s$/u;

/** Words, units and names after other numbers, and a place after its postcode. */
export const units =
  /^\s?(?:€|EUR|USD|GBP|CHF|kr|kg|g|km|m|cm|mm|px|pt|ms|min|mins|minutes?|Minuten|kB|KB|MB|GB|TB|W|V|people|hour|day|year|UTC|Uhr|Punkte|Personen)\b|^\s\p{Lu}\p{Ll}+|^\s\p{Ll}{3,20}s(?!\p{L})/u;
