import type { Issue } from '../../base/errors.ts';
import { shortened } from '../../base/text/shortened.ts';

/** Most characters of JSON for all issues together. One issue for each row of a batch fits. */
const mostTogether = 64 * 1024;
const longestMessage = 400;
/** Parts of a path, and characters of each part, that are shown. */
const mostParts = 20;
const longestPart = 200;

/** The issues of a response, within these limits. The last issue says how many were cut off. */
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
