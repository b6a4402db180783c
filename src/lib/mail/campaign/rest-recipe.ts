/** Where to read how the others get a corrected text, once some contacts have the old one. */
export const restRecipe =
  'To send a corrected text to those who have not got it: docs/who-got-what.md, "A campaign that is half sent"';
