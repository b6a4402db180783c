/** The script for the project's process, which the bundler inlines as text. */
declare module '*/project.js' {
  const text: string;
  // biome-ignore lint/style/noDefaultExport: as the bundler exports it.
  export default text;
}
