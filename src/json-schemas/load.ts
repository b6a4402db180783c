import type { LateSchema } from '../lib/command-line/command/prints.ts';

/** The schemas that commands name in `prints`, by file. Each file is loaded when one of its schemas is needed. */
export const schemas = {
  account: schemasOf(() => import('./account.ts')),
  cancelled: schemasOf(() => import('../lib/mail/email/cancelled-list.ts')),
  bulk: schemasOf(() => import('../lib/runs/bulk/show/run-shapes.ts')),
  check: schemasOf(() => import('../lib/mail/check/check-shapes.ts')),
  commands: schemasOf(() => import('../lib/command-line/command/command-model.ts')),
  contactExport: schemasOf(() => import('../lib/people/contact/contact-shapes.ts')),
  contactImport: schemasOf(() => import('../lib/people/import/import-shape.ts')),
  dns: schemasOf(() => import('./domain.ts')),
  dnsFindings: schemasOf(() => import('../lib/domains/domain/findings-shapes.ts')),
  dmarc: schemasOf(() => import('../lib/domains/dmarc-reports/report-shapes.ts')),
  doctor: schemasOf(() => import('./doctor.ts')),
  domainCheck: schemasOf(() => import('../lib/domains/domain/deep/deep-shapes.ts')),
  found: schemasOf(() => import('../lib/runs/find/found-shapes.ts')),
  log: schemasOf(() => import('../lib/command-line/log/log-shapes.ts')),
  outbox: schemasOf(() => import('../lib/command-line/outbox/outbox-shapes.ts')),
  policy: schemasOf(() => import('./policy.ts')),
  request: schemasOf(() => import('./request-documents.ts')),
  sandbox: schemasOf(() => import('./sandbox.ts')),
  sendmail: schemasOf(() => import('../lib/mail/sendmail/sendmail-shape.ts')),
  sync: schemasOf(() => import('../lib/people/sync/sync-shapes.ts')),
  templateFiles: schemasOf(() => import('../lib/mail/template/file-row-shape.ts')),
  version: schemasOf(() => import('./version.ts')),
  webhook: schemasOf(() => import('../lib/command-line/webhook/webhook-shapes.ts')),
  // Rows of the service's responses.
  campaigns: schemasOf(() => import('../api/campaign.ts')),
  contacts: schemasOf(() => import('../api/contact.ts')),
  domains: schemasOf(() => import('../api/domain.ts')),
  emails: schemasOf(() => import('../api/email.ts')),
  reputation: schemasOf(() => import('../api/reputation.ts')),
  segments: schemasOf(() => import('../api/segment.ts')),
  stats: schemasOf(() => import('../api/stats.ts')),
  templates: schemasOf(() => import('../api/template.ts')),
};

/** The names of the schemas that a file exports. */
type SchemaName<File> = {
  [Name in keyof File]: File[Name] extends Awaited<ReturnType<LateSchema>> ? Name : never;
}[keyof File];

function schemasOf<File>(load: () => Promise<File>) {
  return (name: SchemaName<File>): LateSchema =>
    async () =>
      // Only names of schemas pass the type of `name`.
      (await load())[name] as Awaited<ReturnType<LateSchema>>;
}
