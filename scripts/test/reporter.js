// What a test run prints: how far it is, failures, what was skipped and why, and how to repeat what failed.
import { appendFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import { DefaultReporter } from 'vitest/node';

/** How many lines tell the progress where there is no terminal, on which a line can change. */
const steps = 10;

export default class Reporter extends DefaultReporter {
  #files = 0;
  #done = 0;

  constructor() {
    super({ summary: false, silent: 'passed-only' });
  }

  /** Without vitest's banner. */
  onInit(ctx) {
    this.ctx = ctx;
  }

  onTestRunStart(specifications) {
    super.onTestRunStart(specifications);
    this.#files = specifications.length;
  }

  onTestModuleEnd(testModule) {
    this.#done += 1;
    super.onTestModuleEnd(testModule);
    if (this.isTTY) {
      this.#rewriteLine(this.#progress());
      return;
    }
    const step = (done) => Math.floor((done * steps) / this.#files);
    if (step(this.#done) > step(this.#done - 1)) this.log(this.#progress());
  }

  /** Names what failed at once; why follows at the end. */
  printTestModule(testModule) {
    if (testModule.state() !== 'failed') return;
    if (this.isTTY) this.#rewriteLine('');
    const failed = [...testModule.children.allTests('failed')];
    const names = failed.map((test) => ` > ${test.fullName}`);
    for (const name of names.length > 0 ? names : ['']) {
      this.log(`Failed: ${testModule.relativeModuleId}${name}`);
    }
  }

  onTestRunEnd(testModules, errors, reason) {
    if (this.isTTY) this.#rewriteLine('');
    super.onTestRunEnd(testModules, errors, reason);
    const failed = testModules.filter((one) => one.state() === 'failed');
    if (failed.length === 0) return;
    const files = failed.map((one) => one.relativeModuleId);
    this.log(`\nTo repeat what failed: npx vitest run ${files.join(' ')}`);
  }

  /** In place of vitest's tables. */
  reportTestSummary(_, errors) {
    const testModules = this.ctx.state.getTestModules();
    const tests = testModules.flatMap((one) => [...one.children.allTests()]);
    // A file that could not be loaded has no tests that could fail.
    const unloaded = testModules.filter((one) => one.errors().length > 0);
    const count = (state) => tests.filter((test) => test.result().state === state).length;
    const failed = count('failed') + unloaded.length + errors.length;
    const skipped = count('skipped');
    const tally = `${count('passed')} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
    const seconds = Math.round((this.end - this.start) / 1000);
    this.log(`${tally} (tests in ${testModules.length} files, ${seconds} s)`);
    for (const line of whySkipped(tests)) this.log(line);
    // So that the numbers of several runs can be added up: see scripts/ci/tally.js.
    if (!process.env.TALLY_FILE) return;
    const failures = [
      ...errors.map((error) => why([error])),
      ...unloaded.map((one) => `${one.relativeModuleId}: ${why(one.errors())}`),
      ...tests
        .filter((test) => test.result().state === 'failed')
        .map(
          (test) =>
            `${test.module.relativeModuleId} > ${test.fullName}: ${why(test.result().errors)}`,
        ),
    ];
    const lines = failures.map((failure) => `FAIL ${inLine(failure)}`);
    appendFileSync(process.env.TALLY_FILE, [...lines, tally, ''].join('\n'));
  }

  #progress() {
    return `${this.#done} of ${this.#files} test files`;
  }

  #rewriteLine(text) {
    this.ctx.logger.outputStream.write(`\r\x1b[K${text}`);
  }
}

/** A line for each need that was not met: see test/support/needs.ts. */
function whySkipped(tests) {
  const skipped = tests.filter((test) => test.result().state === 'skipped');
  const byNeed = Object.groupBy(
    skipped,
    (test) => needOf(test) ?? test.result().note ?? 'without a reason',
  );
  return Object.entries(byNeed).map(([need, tests]) => `  ${tests.length} skipped: ${need}`);
}

/** What a test, or a group around it, needs. */
function needOf(test) {
  for (let task = test; task.type !== 'module'; task = task.parent) {
    const { needs } = task.meta();
    if (needs !== undefined) return needs;
  }
  return undefined;
}

function why(errors) {
  return inLine(errors?.[0]?.message).slice(0, 300);
}

/** Text as a part of one line, without colors. */
function inLine(text) {
  return stripVTControlCharacters(text ?? '')
    .replace(/\s+/g, ' ')
    .trim();
}
