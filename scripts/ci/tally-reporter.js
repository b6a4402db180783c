import { appendFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';

/** Text as a part of one line, without colors. */
function inLine(text) {
  return stripVTControlCharacters(text ?? '')
    .replace(/\s+/g, ' ')
    .trim();
}

function whyFailed(errors) {
  return inLine(errors?.[0]?.message).slice(0, 300);
}

// Ends a test run with one line of numbers for programs to read. Also appends it to the file that
// TALLY_FILE names, if any, after a line for each failure, so that several runs can be added up.
export default class TallyReporter {
  onTestRunEnd(modules, errors) {
    const counts = { passed: 0, failed: errors.length, skipped: 0 };
    const failures = errors.map((error) => `FAIL ${whyFailed([error])}`);
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const result = test.result();
        counts[result.state] += 1;
        if (result.state !== 'failed') continue;
        const name = inLine(`${module.relativeModuleId} > ${test.fullName}`);
        failures.push(`FAIL ${name}: ${whyFailed(result.errors)}`);
      }
      // A file that could not be loaded has no tests to count as failed.
      if (module.errors().length > 0) {
        counts.failed += 1;
        failures.push(`FAIL ${module.relativeModuleId}: ${whyFailed(module.errors())}`);
      }
    }
    const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : '';
    const line = `${counts.passed} passed, ${counts.failed} failed${skipped}`;
    console.log(line);
    if (!process.env.TALLY_FILE) return;
    appendFileSync(process.env.TALLY_FILE, [...failures, line, ''].join('\n'));
  }
}
