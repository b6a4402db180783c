import type { Route } from '../call.ts';
import { contactRoutes } from './beyond-contacts.ts';

/**
 * Operations of live servers that are not in the specification, for other clients. Their shapes are
 * those of the types of the npm package `usesend-js`.
 */
export const beyondRoutes: readonly Route[] = [...contactRoutes];
