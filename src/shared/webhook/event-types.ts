/** The events of emails, contacts and domains, and the test, in the order of the service's settings. */
export const eventTypes = [
  'email.queued',
  'email.sent',
  'email.delivery_delayed',
  'email.delivered',
  'email.bounced',
  'email.rejected',
  'email.rendering_failure',
  'email.complained',
  'email.failed',
  'email.cancelled',
  'email.suppressed',
  'email.opened',
  'email.clicked',
  'contact.created',
  'contact.updated',
  'contact.deleted',
  'domain.created',
  'domain.verified',
  'domain.updated',
  'domain.deleted',
  'webhook.test',
] as const;

export type EventType = (typeof eventTypes)[number];

/** Events that are declared, but that no server sends by itself. A handler must know them all the same. */
export const unsentTypes: readonly EventType[] = [
  'email.queued',
  'email.failed',
  'email.cancelled',
  'email.suppressed',
];

/** How often a call is sent before the service gives up. */
export const mostAttempts = 6;
