/** The titles and computed fields in the view of an email, which `--fields` takes besides those of the API. */
export const emailTitles: readonly string[] = [
  ...['latestStatus', 'status', 'created', 'scheduledAt', 'scheduled', 'attachments'],
  ...['emailEvents.recipient', 'emailEvents.detail'],
];
