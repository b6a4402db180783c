import * as z from 'zod';
import { strings } from '../store/json-columns.ts';
import type { Store } from '../store/store.ts';

const longestValue = 4000;
const mostValues = 20;
const isMx = /^\d{1,4} [a-z0-9.-]+$/i;

/** The types of records that the sandbox's DNS has. */
const dnsTypes = ['MX', 'TXT'] as const;

type DnsType = (typeof dnsTypes)[number];

/** All records of one name and type, as a person sets them. */
export const dnsRecordSet = z
  .strictObject({
    /** In full, without a dot at its end. */
    name: z
      .string()
      .max(253)
      .regex(/^([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/, {
        error: 'must be a full DNS name in lower case',
      }),
    type: z.enum(dnsTypes),
    /** `10 mx.example` of an MX. */
    values: z.array(z.string().min(1).max(longestValue)).max(mostValues).default([]),
  })
  .refine(({ type, values }) => type !== 'MX' || values.every((value) => isMx.test(value)), {
    path: ['values'],
    message: 'must be a priority and a name for MX, such as "10 mx.example.com"',
  });

export type DnsRecordSet = Readonly<z.infer<typeof dnsRecordSet>>;

/** What was set, in place of the records that a domain has by its status. No values: removed. */
export function changedRecords(store: Store): DnsRecordSet[] {
  return store
    .all<{ name: string; type: DnsType; content: string }>(
      'SELECT name, type, content FROM dns_records ORDER BY name, type',
    )
    .map(({ content, ...set }) => ({ ...set, values: strings(content) }));
}

/** Sets all records of one name and type; without values there are none. */
export function changeRecords(store: Store, { name, type, values }: DnsRecordSet): void {
  store.insert('dns_records', { name, type, content: JSON.stringify(values) }, 'name, type');
}

/** All domains have the records of their status again. */
export function forgetChangedRecords(store: Store): void {
  store.run('DELETE FROM dns_records');
}
