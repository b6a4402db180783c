// After npm pack and npm publish: removes the list of manual pages from package.json.
import { node, root, runOrExit } from './checkout.js';

runOrExit(node, [`${root}scripts/docs/write-package-docs.ts`, '--undo']);
