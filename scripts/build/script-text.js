// The threads and scripts of the program, which start from text: the executable has no files of its own, and
// an update may delete those of the package while the program runs.
import { rolldown } from 'rolldown';
import { root } from '../checkout.js';

const sources = {
  'mime-thread/text': 'src/sandbox/mail/receive/mime-thread.ts',
  'project-script/text': 'src/lib/mail/content/project-script.js',
};

/** Whether `module` stands for the text of a script. */
export function isScript(module) {
  return Object.hasOwn(sources, module);
}

/** A script with its imports, as the text of one CommonJS module. */
export async function scriptText(module) {
  const made = await rolldown({
    cwd: root,
    input: sources[module],
    platform: 'node',
    // As in bundle.js.
    resolve: { symlinks: false },
    transform: { target: 'node22.19' },
  });
  const { output } = await made.generate({
    format: 'cjs',
    strict: true,
    comments: { legal: true, annotation: false, jsdoc: false },
  });
  await made.close();
  return output[0].code;
}
