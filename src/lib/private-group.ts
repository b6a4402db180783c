import { readFileSync } from 'node:fs';

/**
 * Whether the user is the only member of a group. Some systems make such a group for each user, and
 * let it write to the user's files. False where users are not listed in files, and so not known.
 */
export function isPrivateGroup(group: number, user: number): boolean {
  const users = linesOf('/etc/passwd');
  const name = users.find(([, , id]) => id === String(user))?.[0];
  const listed = linesOf('/etc/group').find(([, , id]) => id === String(group));
  if (name === undefined || listed === undefined) return false;
  const [, , , members = ''] = listed;
  const others = [
    ...members.split(','),
    ...users.filter(([, , , primary]) => primary === String(group)).map(([other = '']) => other),
  ];
  return others.every((other) => other === '' || other === name);
}

function linesOf(path: string): readonly (readonly string[])[] {
  try {
    return readFileSync(path, 'utf8')
      .split('\n')
      .map((line) => line.split(':'));
  } catch {
    return [];
  }
}
