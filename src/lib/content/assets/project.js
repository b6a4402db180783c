// Creates HTML in a separate Node process with the packages of the user's project. The first line of its
// input names the format and the file, each line after it is one email and gets one line in reply. `node -e`
// runs this text.

const { existsSync } = require('node:fs');
const Module = require('node:module');
const { Socket } = require('node:net');
const { basename, dirname, extname } = require('node:path');
const { createInterface } = require('node:readline');
const { pathToFileURL } = require('node:url');

// Whatever the project and the programs it starts print is on stdout, which must not mix with the replies.
const replies = new Socket({ fd: 3, readable: false, writable: true });
// Errors of components refer to lines of the source code.
process.setSourceMapsEnabled(true);

/** Packages that depend on the others, which the project itself may not be able to resolve. */
const carriers = ['react-email', '@react-email/components', 'tsx', 'vite'];

/** Resolves packages as the file would; `missing` collects those that are not installed. */
function packagesOf(path) {
  const own = Module.createRequire(path);
  const missing = [];
  const resolved = (require, name) => {
    try {
      return require.resolve(name);
    } catch {
      return undefined;
    }
  };
  const pathOf = (name) => {
    const found = resolved(own, name);
    if (found !== undefined) return found;
    for (const carrier of carriers) {
      const main = resolved(own, carrier);
      const carried = main && resolved(Module.createRequire(main), name);
      if (carried) return carried;
    }
    missing.push(name);
    return undefined;
  };
  return { pathOf, missing };
}

const makers = {
  mjml(path) {
    const { pathOf, missing } = packagesOf(path);
    const mjmlPath = pathOf('mjml');
    if (missing.length > 0) return { missing };
    const loaded = require(mjmlPath);
    const mjml = loaded.default ?? loaded;
    const options = {
      // stdin is not a file, but includes are still resolved relative to the current directory.
      filePath: existsSync(path) ? path : dirname(path),
      includePath: process.cwd(),
      ignoreIncludes: false,
      validationLevel: 'soft',
    };
    return {
      async make({ body }) {
        const { html, errors = [] } = await mjml(body, options);
        const problems = errors
          // A stand-in is not a colour, but the value it stands for may be one.
          .filter(({ message }) => !/zqmailer\d+q\S* for type Color/.test(message))
          .map(({ line, message }) => `line ${line}: ${message.trim()}`);
        if (/<!-- mj-include (?:denied|fails)/.test(html)) {
          problems.push('a file of mj-include cannot be read');
        }
        return problems.length > 0 ? { error: problems.join('; ') } : { html };
      },
    };
  },

  async react(path) {
    const { pathOf, missing } = packagesOf(path);
    const isCompiled = ['.js', '.mjs', '.cjs'].includes(extname(path));
    const [reactPath, renderPath] = [pathOf('react'), pathOf('@react-email/render')];
    const esbuildPath = isCompiled ? undefined : pathOf('esbuild');
    if (missing.length > 0) return { missing };
    const module = isCompiled
      ? await import(pathToFileURL(path).href)
      : await built(require(esbuildPath), path);
    const component = [module.default?.default, module.default].find(
      (one) => typeof one === 'function',
    );
    if (component === undefined) return { error: 'it has no component as its default export' };
    const { createElement } = require(reactPath);
    const { render } = require(renderPath);
    return {
      async make({ props = component.PreviewProps ?? {} }) {
        return { html: await render(createElement(component, props)) };
      },
    };
  },
};

/** Bundles a component in TypeScript or JSX with the files it imports. */
async function built(esbuild, path) {
  const { outputFiles } = await esbuild.build({
    entryPoints: [path],
    bundle: true,
    write: false,
    format: 'cjs',
    platform: 'node',
    packages: 'external',
    jsx: 'automatic',
    sourcemap: 'inline',
    outdir: dirname(path),
    logLevel: 'silent',
  });
  const module = new Module(path);
  module.filename = path;
  module.paths = Module._nodeModulePaths(dirname(path));
  module._compile(outputFiles[0].text, path);
  return module.exports;
}

/** Describes an error, with its position if it is in a file outside of packages. */
function inWords(error) {
  const [first] = Array.isArray(error?.errors) ? error.errors : [];
  if (first?.location) {
    const { file, line, column } = first.location;
    return `${basename(file)}:${line}:${column + 1}: ${first.text}`;
  }
  if (first?.text) return first.text;
  const message = String(error?.message ?? error).split('\n', 1)[0];
  const frames = String(error?.stack)
    .split('\n')
    .filter((line) => /^\s+at /.test(line));
  const place = frames
    .filter((line) => !/node_modules|node:|\[eval/.test(line))
    .map((line) => /([^\\/( ]+:\d+:\d+)\)?$/.exec(line)?.[1])
    .find(Boolean);
  return place ? `${place}: ${message}` : message;
}

async function main() {
  const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
  const next = async () => {
    const { value } = await lines.next();
    return value === undefined ? undefined : JSON.parse(value);
  };
  const replyWith = async (make) => {
    let outcome;
    try {
      outcome = await make();
    } catch (error) {
      outcome = { error: inWords(error) };
    }
    const { make: _, ...said } = outcome;
    replies.write(`${JSON.stringify(said)}\n`);
    return outcome;
  };
  const { format, path } = await next();
  const { make } = await replyWith(() => makers[format](path));
  for (let email = await next(); make && email !== undefined; email = await next()) {
    const given = email;
    await replyWith(() => make(given));
  }
  // Do not wait for anything that a component has left running.
  process.exit();
}

main();
