/** A domain as the specification has it. */
export function domain(id: number, name: string, fields: Readonly<Record<string, unknown>> = {}) {
  return {
    id,
    name,
    teamId: 7,
    status: 'PENDING',
    region: 'eu-west-1',
    publicKey: 'MIGf',
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-02T00:00:00.000Z',
    dnsRecords: [],
    ...fields,
  };
}
