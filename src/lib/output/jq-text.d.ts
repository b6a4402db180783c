/** The whole of jq-wasm, as the text of a CommonJS module. The bundler and vitest read it. */
declare module 'jq-wasm/text' {
  const text: string;
  // biome-ignore lint/style/noDefaultExport: as the bundler exports it.
  export default text;
}
