import { isIP } from 'node:net';
import { UsageError } from '../../../base/errors.ts';

/**
 * The servers in `--resolver`: `9.9.9.9`, `127.0.0.1:5353` or `[::1]:5353`. A `UsageError` for other texts.
 */
export function parseResolvers(values: readonly string[] = []): string[] {
  return values.filter((value) => value !== '').map(parseResolver);
}

function parseResolver(value: string): string {
  if (isIP(value) !== 0) return value;
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(value) ?? [];
  const address = bracketed ?? plain ?? '';
  const number = port === undefined ? 53 : Number(port);
  const family = isIP(address);
  if (
    family === 0 ||
    (family === 6) !== (bracketed !== undefined) ||
    !(number <= 65_535 && number)
  ) {
    throw new UsageError(`--resolver: ${JSON.stringify(value)} is not an IP address`, {
      hint: 'Write 9.9.9.9, 127.0.0.1:5353 or [::1]:5353.',
    });
  }
  return port === undefined ? address : value;
}
