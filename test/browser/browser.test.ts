// All tests in a browser, in one file, because to start a browser takes as long as ten visits.
import './hostile.ts';
import './inbox.ts';
import './inlined-css.ts';
import './recording.ts';
import './records.ts';
