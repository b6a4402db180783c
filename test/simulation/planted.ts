import { defects, plant } from './defects.ts';

// The program with one of the defects, as a process: the defect's name, then the program's own words.

const [what, ...words] = process.argv.slice(2);
const defect = defects.find((one) => one.what === what);
if (defect === undefined) throw new Error(`There is no defect of this name: ${what}`);
plant(defect);
// After the defect.
const { runHere } = await import('../../src/cli/process.ts');
await runHere(words);
