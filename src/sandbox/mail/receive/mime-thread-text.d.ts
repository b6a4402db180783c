/** The thread that reads a message, as the text of a CommonJS module, which the bundler and vitest provide. */
declare module 'mime-thread/text' {
  const text: string;
  // biome-ignore lint/style/noDefaultExport: as the bundler exports it.
  export default text;
}
