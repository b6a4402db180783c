/** What a word of a command line is, as far as that shows without knowing the command. */
type WordKind = 'flag' | 'value' | 'other' | 'end';

/** Flags that take no value, or, as `--wait`, only one after an equals sign. */
const switches =
  /^--(json|jsonl|csv|csv-safe|quiet|sandbox|yes|debug|all|wait|help|version|include|paginate|dry-run|allow-(http|past)|no-(input|color)|again|resend-unknown|same-account|skip-invalid|unique)$/;

/**
 * Tells flags from their values, so that a value that looks like a flag is not taken for one. `end`
 * is `--` and all after it.
 */
export function wordKinds(words: readonly string[]): WordKind[] {
  const kinds: WordKind[] = [];
  for (const [index, word] of words.entries()) {
    const previous = kinds[index - 1];
    if (previous === 'end') kinds.push('end');
    else if (previous === 'flag' && takesValue(words[index - 1] ?? '')) kinds.push('value');
    else if (word === '--') kinds.push('end');
    else kinds.push(/^-./.test(word) ? 'flag' : 'other');
  }
  return kinds;
}

function takesValue(flag: string): boolean {
  if (/^-[fF]$/.test(flag)) return true;
  return flag.startsWith('--') && !flag.includes('=') && !switches.test(flag);
}
