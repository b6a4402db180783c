// The part of juice that loads nothing from files or the network. The package has types only for the whole.
declare module 'juice/client' {
  interface Juice {
    (
      html: string,
      options?: {
        applyWidthAttributes?: boolean;
        applyHeightAttributes?: boolean;
        inlineDuplicateProperties?: boolean;
        removeStyleTags?: boolean;
        removeInlinedSelectors?: boolean;
        resolveCSSVariables?: boolean;
      },
    ): string;
    /** Pseudo-classes and pseudo-elements whose rules are not inlined. */
    ignoredPseudos: string[];
  }
  const juice: Juice;
  // biome-ignore lint/style/noDefaultExport: as the module has it.
  export default juice;
}
