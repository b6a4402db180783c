import { appendFileSync } from 'node:fs';

// Ends a test run with one line of numbers for programs to read. Also appends it to the file that
// TALLY_FILE names, if any, so that several runs can be added up.
export default class TallyReporter {
  onTestRunEnd(modules, errors) {
    const counts = { passed: 0, failed: errors.length, skipped: 0 };
    for (const module of modules) {
      for (const test of module.children.allTests()) counts[test.result().state] += 1;
      // A file that could not be loaded has no tests to count as failed.
      if (module.errors().length > 0) counts.failed += 1;
    }
    const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : '';
    const line = `${counts.passed} passed, ${counts.failed} failed${skipped}`;
    console.log(line);
    if (process.env.TALLY_FILE) appendFileSync(process.env.TALLY_FILE, `${line}\n`);
  }
}
