import { repeatableOption } from '../../command/flags/repeatable.ts';

/** Declares `--resolver`. */
export function resolverOption() {
  return repeatableOption(
    '--resolver <ip>',
    "DNS server to ask, as IP or IP:PORT, repeatable (default: the domain's own, else those of the system)",
  );
}
