import * as z from 'zod';
import type { Store } from '../store/store.ts';

const longestValue = 4000;
const mostValues = 20;
const isMx = /^\d{1,4} [a-z0-9.-]+$/i;

/** The types of records in the sandbox's DNS. */
const dnsTypes = ['MX', 'TXT'] as const;

/** All records of one name and type, as set by a person. */
export const dnsRecordSet = z
  .strictObject({
    /** The full name, without a dot at the end. */
    name: z
      .string()
      .max(253)
      .regex(/^([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/, {
        error: 'must be a full DNS name in lower case',
      }),
    type: z.enum(dnsTypes),
    /** Such as `10 mx.example` for an MX record. */
    values: z.array(z.string().min(1).max(longestValue)).max(mostValues).default([]),
  })
  .refine(({ type, values }) => type !== 'MX' || values.every((value) => isMx.test(value)), {
    path: ['values'],
    message: 'must be a priority and a name for MX, such as "10 mx.example.com"',
  });

export type DnsRecordSet = Readonly<z.infer<typeof dnsRecordSet>>;

/** The record sets that replace the records a domain has by its status. One without values is removed. */
export function changedRecords(store: Store): DnsRecordSet[] {
  return store.all('SELECT name, type, content AS "values" FROM dns_records ORDER BY name, type');
}

/** Sets all records of one name and type. Without values, they are removed. */
export function changeRecords(store: Store, { name, type, values }: DnsRecordSet): void {
  store.insert('dns_records', { name, type, content: values }, 'name, type');
}

/** Gives all domains the records of their status again. */
export function forgetChangedRecords(store: Store): void {
  store.run('DELETE FROM dns_records');
}
