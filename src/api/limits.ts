/** The service's numbers. Source: the provider's specification; `observed` marks live servers. */
export const limits = {
  emailsPerBatch: 100,
  attachmentsPerEmail: 10,
  idempotencyKeyLength: { min: 1, max: 256 },
  /** Hours after which the service forgets an idempotency key. */
  idempotencyRecordHours: 24,
  /** Seconds for which it locks a key while it carries out the request. */
  idempotencyLockSeconds: 60,
  campaignBatchSize: { min: 1, max: 100_000 },
  reputationEvents: { min: 1, max: 200, default: 50 },
  emailIdLength: { min: 3 },
  campaignIdLength: { min: 1 },
  /** observed */
  emailsPerPage: { min: 1, max: 50, default: 50 },
  /** observed */
  campaignsPerPage: 30,
  /** observed */
  reputationDays: { min: 1, max: 90, default: 30 },
  /** observed */
  bounceShares: { min: 1, max: 50, default: 10 },
  /** observed */
  contactsPerList: 5000,
  /** observed */
  contactsPerBulk: 1000,
} as const;
