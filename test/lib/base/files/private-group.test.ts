import { expect, test } from 'vitest';
import { isPrivateGroup } from '../../../../src/lib/base/files/private-group.ts';

const alice = 'alice:x:1000:1000::/home/alice:/bin/sh\n';
const bob = 'bob:x:1001:1001::/home/bob:/bin/sh\n';
const carol = 'carol:x:1002:1000::/home/carol:/bin/sh\n';
const own = 'alice:x:1000:\n';

test.each([
  ['the user is its only member', alice + bob, own, true],
  ['the user is listed as a member, too', alice + bob, 'alice:x:1000:alice\n', true],
  ['another user is a member', alice + bob, 'alice:x:1000:bob\n', false],
  ['another user is one of its members', alice + bob, 'alice:x:1000:alice,bob\n', false],
  ['it is the primary group of another user', alice + carol, own, false],
  ['it has a second name with another member', alice + bob, `${own}staff:x:1000:bob\n`, false],
  ['the list of users does not have the user', bob, own, false],
  ['the list of groups does not have it', alice + bob, 'bob:x:1001:\n', false],
  ['there are no lists', '', '', false],
])('whether a group is private if %s', (_, passwd, groups, expected) => {
  expect(isPrivateGroup(1000, 1000, { passwd, groups })).toBe(expected);
});
