/** What scripts/build/build-info.js knows of the build. Loaded late: only `mailer version` needs it. */
declare module 'mailer-build' {
  const build: {
    /** Null if the sources are not those of a commit. */
    readonly commit: string | null;
    /** ISO 8601, the same for every build of one commit; null if unknown. */
    readonly built: string | null;
    /** What is bundled, by name; of each package its version, as in its package.json. */
    readonly packages: readonly { readonly name: string; readonly version: string }[];
  };
  // biome-ignore lint/style/noDefaultExport: as the bundler exports JSON.
  export default build;
}
