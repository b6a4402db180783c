/** The limits of RFC 7208, 4.6.4: terms that need DNS, of these without an answer, and names of one MX or PTR. */
export const spfLimits = { lookups: 10, voidLookups: 2, names: 10 } as const;
