import { distance } from '../../../shared/distance.ts';

/**
 * The name that a misspelt one most likely stands for, ignoring case; undefined if none is near.
 */
export function nearest(misspelt: string, names: readonly string[]): string | undefined {
  const wanted = misspelt.toLowerCase();
  const distances = names.map((name) => ({ name, distance: distance(wanted, name.toLowerCase()) }));
  const [best] = distances.sort((one, other) => one.distance - other.distance);
  const most = Math.max(1, Math.floor(misspelt.length * 0.4));
  return best !== undefined && best.distance <= most ? best.name : undefined;
}
