import { readFileSync } from 'node:fs';
import { attempt } from '../../../shared/attempt.ts';

/**
 * Whether the user is the only member of a group: some systems create one for each user, with
 * access to the user's files. False if the lists do not have the user or the group.
 */
export function isPrivateGroup(group: number, user: number, lists = systemLists()): boolean {
  const users = fieldsOf(lists.passwd);
  const name = users.find(([, , id]) => id === String(user))?.[0];
  // A group may have several names, each with its own members.
  const listed = fieldsOf(lists.groups).filter(([, , id]) => id === String(group));
  if (name === undefined || listed.length === 0) return false;
  const members = [
    ...listed.flatMap(([, , , names = '']) => names.split(',')),
    ...users.filter(([, , , primary]) => primary === String(group)).map(([one = '']) => one),
  ];
  return members.every((one) => one === '' || one === name);
}

function fieldsOf(list: string): readonly (readonly string[])[] {
  return list.split('\n').map((line) => line.split(':'));
}

/** The texts of `/etc/passwd` and `/etc/group`; empty if the system does not list users in files. */
function systemLists() {
  return { passwd: textOf('/etc/passwd'), groups: textOf('/etc/group') };
}

function textOf(path: string): string {
  return attempt(() => readFileSync(path, 'utf8'), '');
}
