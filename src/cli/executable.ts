// The first file of the executable, where nothing is gained by a loader: what is compiled is in it.
import { runHere } from './process.ts';

runHere(process.argv.slice(2));
