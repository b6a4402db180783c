// Before npm pack and npm publish: builds the program, the manual pages and the JSON Schemas from the current sources.
import { node, prepare, root, runOrExit } from './checkout.js';

prepare();
runOrExit(node, [`${root}scripts/docs/write-package-docs.ts`]);
