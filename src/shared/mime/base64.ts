/** Decodes the body of a part in base64, as the parser hands it over. */
export class Base64Decoder {
  readonly #blocks: string[] = [];

  update(block: Uint8Array): void {
    const { buffer, byteOffset, byteLength } = block;
    this.#blocks.push(Buffer.from(buffer, byteOffset, byteLength).toString('latin1'));
  }

  /** Whether something else is in the body, such as a footer that a mailing list has added. */
  get hasOther(): boolean {
    const source = this.#blocks.join('\n');
    if (/[^A-Za-z0-9+/=\s]|[^\s=] [^\s=]/.test(source)) return true;
    const units = source.replace(/\s+/g, '').split(/=+/);
    // Some programs pad every line. A group of one character is cut off.
    return units.some(
      ({ length }, at) =>
        length % 4 === 1 || (at > 0 && length % 4 !== 0 && at === units.length - 1),
    );
  }

  async finalize(): Promise<ArrayBuffer> {
    const units = this.#blocks
      .join('\n')
      .replace(/[^A-Za-z0-9+/=]+/g, '')
      .split(/=+/);
    const bytes = Buffer.concat(units.map((unit) => Buffer.from(unit, 'base64')));
    // A buffer of its own, of exactly this length.
    return new Uint8Array(bytes).buffer;
  }
}
