import { closeSync, openSync, writeSync } from 'node:fs';

const cities = ['Aachen', 'Bergen', 'Córdoba', 'Dubrovnik', 'Évora', 'Freiburg', 'Gdańsk'];
const rowsTogether = 1000;

/** Writes the CSV file of a newsletter, with addresses, names and variables. */
export function writePeople(path: string, rows: number): void {
  const file = openSync(path, 'w');
  writeSync(file, 'to,name,plan,city,renewal,points\n');
  for (let start = 0; start < rows; start += rowsTogether) {
    const lines: string[] = [];
    for (let index = start; index < Math.min(start + rowsTogether, rows); index++) {
      // One in ten has no name.
      const name = index % 10 === 0 ? '' : `Kim Example ${index}`;
      const plan = index % 3 === 0 ? 'team' : 'free';
      const city = cities[index % cities.length];
      const day = String((index % 28) + 1).padStart(2, '0');
      lines.push(`person${index}@example.com,${name},${plan},${city},2026-03-${day},${index}\n`);
    }
    writeSync(file, lines.join(''));
  }
  closeSync(file);
}
