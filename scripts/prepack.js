// Before npm pack and npm publish: builds the package from the current sources.
import { prepare } from './checkout.js';

prepare();
