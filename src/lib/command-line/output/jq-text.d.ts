/** All of jq-wasm as the text of a CommonJS module, which the bundler and vitest provide. */
declare module 'jq-wasm/text' {
  const text: string;
  // biome-ignore lint/style/noDefaultExport: as the bundler exports it.
  export default text;
}
