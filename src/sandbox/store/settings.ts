import type { Store } from './store.ts';

/** What is kept beside the account's data: how far the clock is moved, which process delivers, … */
type SettingName = 'clock.ahead' | 'delivery' | 'resets';

/** The value of a setting, or undefined when it was never set. */
export function readSetting(store: Store, name: SettingName): string | undefined {
  return store.one<{ value: string }>('SELECT value FROM settings WHERE name = ?', name)?.value;
}

/** Sets a setting. Call it in a transaction. */
export function writeSetting(store: Store, name: SettingName, value: string): void {
  store.run('INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)', name, value);
}

/** Makes a setting as if it was never set. Call it in a transaction. */
export function removeSetting(store: Store, name: SettingName): void {
  store.run('DELETE FROM settings WHERE name = ?', name);
}
