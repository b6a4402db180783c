import { htmlNesting } from './checks/html-nesting.ts';
import { htmlUnclosed } from './checks/html-unclosed.ts';
import { imageSource } from './checks/image-source.ts';
import { linkEmpty } from './checks/link-empty.ts';
import { linkPrivate } from './checks/link-private.ts';
import { linkSyntax } from './checks/link-syntax.ts';
import { styleSource } from './checks/style-source.ts';

/** Checks at the doors that read elements, images and links. */
export const documentChecks = [
  htmlNesting,
  htmlUnclosed,
  imageSource,
  linkEmpty,
  linkPrivate,
  linkSyntax,
  styleSource,
];
