/** What the keys of a terminal send. */
export const ctrlC = '\x03';
export const ctrlD = '\x04';
export const enter = '\r';
export const tab = '\t';
