// The first file of the executable, which needs no compile cache: what is compiled is in it.
import { runHere } from './process.ts';

runHere(process.argv.slice(2), process.argv0);
