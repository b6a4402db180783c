import { repeatableOption } from '../../../command-line/command/flags/repeatable.ts';

/** Declares `--resolver`. */
export function resolverOption() {
  return repeatableOption(
    '--resolver <ip>',
    'DNS server to ask, as IP or IP:PORT; repeat (default: the name servers of the domain, else those of the system)',
  );
}
