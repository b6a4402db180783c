/** The other name of what is in `connected.ts`. */
export { type Connected as Wired, connected as wired } from './connected.ts';
