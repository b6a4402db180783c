import type { DnsType } from '../../../base/system/dns.ts';
import type { Asker } from './asker.ts';

/** A sentence, after a space, if a record is published with the domain appended twice, as control panels do it. */
export async function doubledName(
  name: string,
  type: DnsType,
  registered: string | undefined,
  asker: Asker,
): Promise<string> {
  const doubled = `${name}.${registered}`;
  if (registered === undefined || name === registered || doubled.length > 253) return '';
  // A failure there says nothing about the record itself.
  const { answer } = await asker.evidence(doubled, type);
  return answer.length > 0
    ? ` It is published as ${doubled}: enter the name without .${registered}.`
    : '';
}
