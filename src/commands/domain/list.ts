import type { Domain } from '../../api/domain.ts';
import { schemas } from '../../json-schemas/load.ts';
import { defineCommand } from '../../lib/command-line/command/command.ts';
import { replyOf, rowsOf } from '../../lib/command-line/command/prints.ts';
import { type Column, list, status, time } from '../../lib/command-line/output/result.ts';
import type { CheckedDomain } from '../../lib/domains/domain/deep/deep-shapes.ts';

export const command = defineCommand({
  description:
    'Each domain has a status, such as SUCCESS once it is verified. With --check, it also shows how many findings domain check --deep has for each; they do not change the exit code, unless DNS gave no answer.',
  effects: { reads: true },
  exits: { 7: 'with --check: DNS gave no answer, so what was not looked up is null' },
  prints: [
    replyOf('domain.list', { line: schemas.domains('domain') }),
    rowsOf('the domains, with the number of findings', schemas.domainCheck('checkedDomain'), {
      when: '--check',
    }),
  ],
  takes: ['service', 'sandbox', 'lists', 'times'],
  examples: {
    'mailer domain list': 'The domains this key can access',
    'mailer domain list --fields name,status': 'Two fields',
    'mailer domain list --check': 'How many findings each domain has',
  },
  flags: (command) =>
    command.option('--check', 'check whether mail from them is likely to be accepted'),
  async run(context, { check }) {
    const rows = await context.call('domain.list', {});
    const shared = { id: ({ id }: Domain) => String(id), empty: 'No domains.' };
    if (check === true) {
      const { checkListed, findingsColumn } = await import(
        '../../lib/domains/domain/deep/list-checked.ts'
      );
      const checked = await checkListed(context, rows);
      return list<CheckedDomain>({
        ...shared,
        pages: [{ rows: checked.rows }],
        failure: checked.failure,
        columns: [...columns, findingsColumn],
      });
    }
    return list<Domain>({
      pages: [{ rows }],
      columns,
      ...shared,
    });
  },
});

const columns: readonly Column<Domain>[] = [
  { field: 'id', header: 'Id' },
  { field: 'name', header: 'Name', flexible: true },
  { field: 'status', header: 'Status', cell: (row) => status(row.status) },
  { field: 'region', header: 'Region' },
  { field: 'createdAt', header: 'Created', cell: ({ createdAt }) => time(createdAt) },
];
