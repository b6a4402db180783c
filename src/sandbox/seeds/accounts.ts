import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { attempt } from '../../shared/attempt.ts';
import { keyOf, testAccountOf } from '../model/api-account.ts';
import { hasData } from './data.ts';

function accountsDirectory(directory: string): string {
  return join(directory, 'accounts');
}

/** Where a test account of the sandbox in `directory` has its data. */
export function accountDirectory(directory: string, name: string): string {
  // Some file systems do not tell a capital letter from a small one.
  const marked = keyOf(name).replace(/[A-Z]/g, (letter) => `=${letter.toLowerCase()}`);
  return join(accountsDirectory(directory), marked);
}

/** Whether the sandbox in `directory` has this test account. */
export function hasAccount(directory: string, name: string): boolean {
  return testAccountOf(keyOf(name)) !== undefined && hasData(accountDirectory(directory, name));
}

/** The names of the test accounts of the sandbox in `directory`, sorted. */
export function accountNames(directory: string): string[] {
  return namesOfAnyVersion(directory)
    .filter((name) => hasAccount(directory, name))
    .sort(new Intl.Collator('en', { numeric: true }).compare);
}

/** The same, unsorted, with those whose data is of another version. */
export function namesOfAnyVersion(directory: string): string[] {
  return attempt(() => readdirSync(accountsDirectory(directory)), [])
    .map((marked) =>
      testAccountOf(marked.replace(/=([a-z])/g, (_, it: string) => it.toUpperCase())),
    )
    .filter((name) => name !== undefined);
}

/** Deletes a test account. It is made again at its next use, in a running sandbox, too. */
export function deleteAccount(directory: string, name: string): void {
  rmSync(accountDirectory(directory, name), { recursive: true, force: true });
}
