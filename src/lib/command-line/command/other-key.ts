import type { Source } from '../../service/account/resolve-account.ts';
import { nextCommand } from './next-command.ts';

/** What to do about a key that `baseUrl` rejects, by where it came from: what takes precedence has to change. */
export function otherKey(
  context: Parameters<typeof nextCommand>[0],
  source: Source,
  baseUrl: string,
): string {
  const login = nextCommand(context, 'login');
  const where =
    source === 'MAILER_API_KEY'
      ? 'Set MAILER_API_KEY to another one'
      : source.startsWith('key command')
        ? `It was printed by the ${source}: correct that, or store another one: ${login} --key-command COMMAND`
        : `Store another one: ${login}`;
  return `Check that it is a key of ${baseUrl}. ${where}`;
}

/** The key, by where it came from. */
export function namedKey(source: Source): string {
  if (source === 'MAILER_API_KEY') return 'the key in MAILER_API_KEY';
  return source.startsWith('key command') ? `what the ${source} prints` : `the key of ${source}`;
}
