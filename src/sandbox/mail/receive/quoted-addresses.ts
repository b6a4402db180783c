import { SMTPConnection } from 'smtp-server/lib/smtp-connection.js';

/** A path with a quoted local part (RFC 5321, section 4.1.2), as in `RCPT TO:<"a b"@example.org>`. */
const quotedPath = /^([^:]*:\s*<)("(?:[^"\\]|\\.)*")(@.*)$/s;

/** Has smtp-server accept addresses with a quoted local part, which it splits at spaces, `@` and `>`. */
export function acceptQuotedAddresses(): void {
  const { _parseAddressCommand: parse } = SMTPConnection.prototype;
  SMTPConnection.prototype._parseAddressCommand = function (name, command) {
    const [, start = '', local = '', rest = ''] = quotedPath.exec(String(command)) ?? [];
    if (local === '') return parse.call(this, name, command);
    // It reads domain and parameters, with a local part that needs no quotes.
    const parsed = parse.call(this, name, `${start}x${rest}`);
    return parsed && { ...parsed, address: local + parsed.address.slice(1) };
  };
}
