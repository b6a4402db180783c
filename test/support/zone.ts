import type { Ask } from '../../src/lib/domains/mail-authentication/ask.ts';

/** Records as `TYPE name value`, the value after the second space; `FAIL name` for a name whose look-ups fail. */
export type Zone = readonly string[];

/** The DNS of these records only, as a resolver shows it, and the questions that were asked, as `TYPE name`. */
export function askZone(zone: Zone): { readonly ask: Ask; readonly questions: string[] } {
  const records = zone.map((line) => {
    const [, type = '', name = '', value = ''] = /^(\S+) (\S+) ?(.*)$/s.exec(line) ?? [];
    return { type, name: name.toLowerCase(), value };
  });
  const questions: string[] = [];
  const look = (name: string, type: string, hops: number): ReturnType<Ask> => {
    const here = records.filter((one) => one.name === name.toLowerCase());
    const failed = { kind: 'failed' as const, reason: `No server responded for ${name}.` };
    if (hops > 8 || here.some((one) => one.type === 'FAIL')) return Promise.resolve(failed);
    const values = here.filter((one) => one.type === type).map(({ value }) => value);
    const alias = here.find((one) => one.type === 'CNAME');
    if (values.length === 0 && alias !== undefined) return look(alias.value, type, hops + 1);
    if (values.length > 0) return Promise.resolve({ kind: 'found', values });
    const exists = records.some((one) => one.name === name || one.name.endsWith(`.${name}`));
    return Promise.resolve({ kind: 'none', exists });
  };
  return {
    questions,
    async ask(name, type) {
      questions.push(`${type} ${name}`);
      return await look(name, type, 0);
    },
  };
}
