// The entry file of the executable. It needs no compile cache, because the executable contains compiled code.
import { runHere } from './process.ts';

runHere(process.argv.slice(2), process.argv0);
