/**
 * The group of flags that few people need. A help page only names them; `mailer help flags` with the command, the
 * manual page and the reference explain them.
 */
export const rarelyNeeded = 'Rarely needed:';
