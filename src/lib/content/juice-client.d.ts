// The part of juice that loads nothing from files or the network. The package has types only for the whole.
declare module 'juice/client' {
  function juice(
    html: string,
    options?: { applyWidthAttributes?: boolean; applyHeightAttributes?: boolean },
  ): string;
  // biome-ignore lint/style/noDefaultExport: as the module has it.
  export default juice;
}
