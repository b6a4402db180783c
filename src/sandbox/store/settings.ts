import type { Store } from './store.ts';

/** Data besides the account's: the offset of the clock, the delivering process, … */
type SettingName = 'clock.ahead' | 'data' | 'delivery' | 'resets';

export function readSetting(store: Store, name: SettingName): string | undefined {
  return store.value<string>('SELECT value FROM settings WHERE name = ?', name);
}

export function writeSetting(store: Store, name: SettingName, value: string): void {
  store.insert('settings', { name, value }, 'name');
}

export function removeSetting(store: Store, name: SettingName): void {
  store.run('DELETE FROM settings WHERE name = ?', name);
}
