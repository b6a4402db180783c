// npm pack and npm publish: what they ship is built first, from what is here now.
import { prepare } from './checkout.js';

prepare();
