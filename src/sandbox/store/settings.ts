import type { Store } from './store.ts';

/** Data beside the account's: the offset of the clock, the delivering process, … */
type SettingName = 'clock.ahead' | 'delivery' | 'resets';

/** The value of a setting, or undefined if it was never set. */
export function readSetting(store: Store, name: SettingName): string | undefined {
  return store.one<{ value: string }>('SELECT value FROM settings WHERE name = ?', name)?.value;
}

/** Sets a setting. Call it in a transaction. */
export function writeSetting(store: Store, name: SettingName, value: string): void {
  store.run('INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)', name, value);
}

/** Deletes a setting. Call it in a transaction. */
export function removeSetting(store: Store, name: SettingName): void {
  store.run('DELETE FROM settings WHERE name = ?', name);
}
