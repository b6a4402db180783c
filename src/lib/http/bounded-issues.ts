import type { Issue } from '../errors.ts';
import { shortened } from '../text/shortened.ts';

/** Characters of JSON that issues may take together: one for each row of a batch fits. */
const mostTogether = 64 * 1024;
const longestMessage = 400;
/** Parts of a path, and characters of each, that are shown. */
const mostParts = 20;
const longestPart = 200;

/** What a service says about fields, however much it is; the last issue says how many were cut off. */
export function boundedIssues(issues: readonly Issue[]): readonly Issue[] {
  const kept: Issue[] = [];
  let room = mostTogether;
  for (const issue of issues) {
    const short = bounded(issue);
    room -= JSON.stringify(short).length;
    if (room < 0)
      return [...kept, { path: [], message: `and ${issues.length - kept.length} more` }];
    kept.push(short);
  }
  return kept;
}

function bounded({ path, message }: Issue): Issue {
  const parts = path
    .slice(0, mostParts)
    .map((part) => (typeof part === 'number' ? part : shortened(part, longestPart)));
  const left = path.length - parts.length;
  return {
    path: left > 0 ? [...parts, `… and ${left} more`] : parts,
    message: shortened(message, longestMessage),
  };
}
