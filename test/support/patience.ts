/** How long a test waits for what would hang, in ms: longer on a slow machine. */
export const patience = Number(process.env.MAILER_TEST_PATIENCE ?? 60_000);
