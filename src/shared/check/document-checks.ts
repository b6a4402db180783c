import { imageSource } from './checks/image-source.ts';
import { linkPrivate } from './checks/link-private.ts';
import { linkSyntax } from './checks/link-syntax.ts';

/** Checks at the doors that read images and links. */
export const documentChecks = [imageSource, linkPrivate, linkSyntax];
