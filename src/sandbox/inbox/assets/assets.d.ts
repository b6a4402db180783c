/** Files of the inbox that the bundler puts into the program as text. */
declare module '*.css' {
  const text: string;
  // biome-ignore lint/style/noDefaultExport: so the bundler gives it.
  export default text;
}

declare module '*.svg' {
  const text: string;
  // biome-ignore lint/style/noDefaultExport: so the bundler gives it.
  export default text;
}

declare module '*/client.js' {
  const text: string;
  // biome-ignore lint/style/noDefaultExport: so the bundler gives it.
  export default text;
}
