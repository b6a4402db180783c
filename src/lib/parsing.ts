/** So many values are looked at in less time than Zod takes to make functions of their schemas. */
const few = 20;

let parsed = 0;

/** What to give to Zod with a value: it is to make functions of schemas only where many follow. */
export function parsing(): { readonly jitless: boolean } {
  parsed++;
  return { jitless: parsed <= few };
}
