/** The script for the project's process, which the bundler makes one text with what it imports. */
declare module 'project-script/text' {
  const text: string;
  // biome-ignore lint/style/noDefaultExport: as the bundler exports it.
  export default text;
}
