// Creates HTML in a separate Node process with the packages of the user's project. The first line of its
// input names the format, the file and whose code may run, each line after it is one email and gets one line
// in reply. `node -e` runs this text, with what it imports.

import fs, { existsSync } from 'node:fs';
import Module, { createRequire } from 'node:module';
import { Socket } from 'node:net';
import { basename, dirname, extname, isAbsolute, join, resolve, sep } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { attempt } from '../../../shared/attempt.ts';
import { targetOf } from '../../service/account/config/trust.ts';
import { aliased, compilerOptionsOf } from './compiler-options.ts';
import { createOwnCode } from './own-code.ts';

// Whatever the project and the programs it starts print is on stdout, which must not mix with the replies.
const replies = new Socket({ fd: 3, readable: false, writable: true });
// Errors of components refer to lines of the source code.
process.setSourceMapsEnabled(true);

/** Packages that depend on the others, which the project itself may not be able to resolve. */
const carriers = ['react-email', '@react-email/components', 'tsx', 'vite'];

/** Says why and ends the process: code that catches an error would make the email without the file. */
function refuse(foreign) {
  fs.writeSync(3, `${JSON.stringify({ ...foreign, isForeign: true })}\n`);
  process.exit();
}

/**
 * Checks all that Node loads from now on. It looks for a package in every folder above the one that needs it,
 * where somebody else may have planted one.
 */
function checkLoaded(ownCode) {
  if (Module.registerHooks === undefined) {
    throw new Error(`It needs Node 22.19 or newer, and this is ${process.version}`);
  }
  const checked = (specifier, parent, file) => {
    if (parent === undefined) return ownCode.checkFound(file, []);
    const name = /^(?!\w+:)(?:@[^/]+\/)?[^./@][^/]*/.exec(specifier)?.[0];
    if (name === undefined) {
      return ownCode.checkFound(file, [resolve(dirname(parent), specifier)]);
    }
    const places = Module._nodeModulePaths(dirname(parent)).map((one) => join(one, name));
    const there = places.filter(existsSync);
    const at = there.findIndex((one) => file.startsWith(join(targetOf(one), sep)));
    // The package that needs it may say where it is, and its own package.json may name a file elsewhere.
    if (at < 0) ownCode.packageOf(parent);
    for (const one of at < 0 ? there : there.slice(0, at + 1)) {
      const asked = join(one, specifier.slice(name.length));
      const packages = [one, asked].map((path) => join(path, 'package.json'));
      for (const path of [one, asked, ...packages].filter(existsSync)) ownCode.check(path);
    }
    ownCode.checkFound(file, []);
  };
  Module.registerHooks({
    resolve(specifier, context, next) {
      const found = next(specifier, context);
      const { parentURL: parent } = context;
      const from = parent?.startsWith('file:') ? fileURLToPath(parent) : undefined;
      if (found.url.startsWith('file:')) checked(specifier, from, fileURLToPath(found.url));
      return found;
    },
  });
  // Hooks of Node 22 do not see require.resolve(), which finds the program of esbuild.
  const original = Module._resolveFilename;
  Module._resolveFilename = (specifier, parent, ...others) => {
    const found = original(specifier, parent, ...others);
    if (!Module.isBuiltin(found)) checked(specifier, parent?.filename, found);
    return found;
  };
}

/** Resolves packages as the file would; `missing` collects those that are not installed. */
function packagesOf(path) {
  const own = createRequire(path);
  const missing = [];
  const resolved = (require, name) => attempt(() => require.resolve(name), undefined);
  const pathOf = (name) => {
    const found = resolved(own, name);
    if (found !== undefined) return found;
    for (const carrier of carriers) {
      const main = resolved(own, carrier);
      const carried = main && resolved(createRequire(main), name);
      if (carried) return carried;
    }
    missing.push(name);
    return undefined;
  };
  return { pathOf, missing };
}

const makers = {
  mjml(path, ownCode) {
    const { pathOf, missing } = packagesOf(path);
    const mjmlPath = pathOf('mjml');
    if (missing.length > 0) return { missing };
    const cwd = process.cwd();
    // When it is loaded, mjml runs what the `.mjmlconfig` of the current directory names.
    process.chdir(dirname(ownCode.nearest(path, '.mjmlconfig') ?? path));
    const loaded = createRequire(path)(mjmlPath);
    process.chdir(cwd);
    const mjml = loaded.default ?? loaded;
    const { version } = attempt(() => createRequire(path)(ownCode.packageOf(mjmlPath)), {});
    // Before, it has no `includePath` and reads any file.
    const canInclude = Number.parseInt(version, 10) >= 5;
    const { readFileSync } = fs;
    fs.readFileSync = (file, ...others) => {
      if (typeof file === 'string') ownCode.check(resolve(file));
      return readFileSync(file, ...others);
    };
    const options = {
      // stdin is not a file, but includes are still resolved relative to the current directory.
      filePath: existsSync(path) ? path : dirname(path),
      includePath: cwd,
      ignoreIncludes: !canInclude,
      validationLevel: 'soft',
    };
    return {
      async make({ body }) {
        const at = body.search(/<mj-include\b/i);
        // Whoever can change a document decides what it includes.
        if (at >= 0 && existsSync(path)) ownCode.check(path);
        if (at >= 0 && !canInclude) {
          const line = body.slice(0, at).split('\n').length;
          return {
            error: `line ${line}: mj-include needs mjml 5, because mjml ${version} can include any file of yours`,
            hint: 'In the folder of the template, run: npm install mjml@5',
          };
        }
        const { html, errors = [] } = await mjml(body, options);
        const problems = errors
          // A stand-in is not a colour, but the value it stands for may be one.
          .filter(({ message }) => !/zqmailer\d+q\S* for type Color/.test(message))
          .map(({ line, message }) => `line ${line}: ${message.trim()}`);
        if (/<!-- mj-include (?:denied|fails)/.test(html)) {
          problems.push(
            'a file of mj-include cannot be read; it must be in the folder of the template or in the current directory',
          );
        }
        return problems.length > 0 ? { error: problems.join('; ') } : { html };
      },
    };
  },

  async react(path, ownCode) {
    ownCode.checkFound(path, []);
    const { pathOf, missing } = packagesOf(path);
    const require = createRequire(path);
    const isCompiled = ['.js', '.mjs', '.cjs'].includes(extname(path));
    const [reactPath, renderPath] = [pathOf('react'), pathOf('@react-email/render')];
    const esbuildPath = isCompiled ? undefined : pathOf('esbuild');
    if (missing.length > 0) return { missing };
    const react = require(reactPath);
    const takeGap = watchGaps(
      react,
      attempt(() => createRequire(reactPath)('react/jsx-runtime'), {}),
    );
    const module = isCompiled
      ? await import(pathToFileURL(path).href)
      : await built(require(esbuildPath), path, ownCode);
    const component = [module.default?.default, module.default].find(
      (one) => typeof one === 'function',
    );
    if (component === undefined) return { error: 'it has no component as its default export' };
    const { createElement } = react;
    const { render } = require(renderPath);
    return {
      async make({ props: given }) {
        const props = given ?? component.PreviewProps;
        takeGap();
        const html = await render(createElement(component, props ?? {}));
        const gap = takeGap();
        if (gap === undefined || props === undefined) return { html };
        const hint =
          'Give it a value, which may be empty (--var name=). If the text is right without one, write {name ?? ""} in the component.';
        return { error: inWords(gap), hint };
      },
    };
  },
};

/**
 * Watches for what a prop that nobody gave leaves undefined where readers miss it: in a text ("Dear ,"), or as the URL of
 * a link or an image. Returns what takes the first of them since the last time, as an error.
 */
function watchGaps(react, runtime) {
  let gap;
  const isText = (one) => typeof one === 'string' && /\S/.test(one);
  const look = (type, props, children) => {
    const url = { a: 'href', img: 'src' }[type];
    if (url !== undefined && props && url in props && props[url] === undefined) {
      gap ??= new Error(`the ${url} of <${type}> is undefined`);
    }
    if (!Array.isArray(children)) return;
    // Text on a line of its own has no blank at its end: there, undefined may well be a condition.
    const at = children.findIndex((one, index) => {
      const [before, after] = [children[index - 1], children[index + 1]];
      return (
        one === undefined &&
        ((isText(before) && /[\s\p{Sc}\p{Ps}\p{Pi}#@/=]$/u.test(before)) ||
          (isText(after) && /^[\s,.:;!?%)]/.test(after)))
      );
    });
    if (at < 0) return;
    const around = children.map((one, index) => (index === at ? '{…}' : isText(one) ? one : ' '));
    gap ??= new Error(`a value in the text is undefined: "${around.join('').trim().slice(0, 80)}"`);
  };
  const { createElement } = react;
  react.createElement = (type, props, ...children) => {
    look(type, props, children);
    return createElement(type, props, ...children);
  };
  for (const name of ['jsx', 'jsxs'].filter((one) => one in runtime)) {
    const create = runtime[name];
    runtime[name] = (type, props, ...others) => {
      look(type, props, props?.children);
      return create(type, props, ...others);
    };
  }
  return () => {
    const taken = gap;
    gap = undefined;
    return taken;
  };
}

/** The file of an input of esbuild, which may have a query. */
function fileOf(input) {
  return existsSync(input) ? resolve(input) : resolve(input.replace(/[?#].*/, ''));
}

/** Bundles a component in TypeScript or JSX with the files it imports. */
async function built(esbuild, path, ownCode) {
  const tsconfig = ownCode.nearest(path, 'tsconfig.json');
  const compilerOptions = tsconfig ? compilerOptionsOf(tsconfig, ownCode.check) : {};
  const { outputFiles, metafile } = await esbuild.build({
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
    metafile: true,
    // Otherwise esbuild looks for one up to the root, and it can replace every import.
    tsconfigRaw: JSON.stringify({ compilerOptions }),
  });
  for (const [from, { imports }] of Object.entries(metafile.inputs)) {
    ownCode.checkFound(fileOf(from), []);
    for (const { path: found, original, external } of imports) {
      if (external || original === undefined) continue;
      const isPath = original.startsWith('.') || isAbsolute(original);
      const base = resolve(dirname(from), original);
      ownCode.checkFound(fileOf(found), isPath ? [base] : aliased(original, compilerOptions));
    }
  }
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
  const { format, path, owner } = await next();
  const { make } = await replyWith(() => {
    const ownCode = createOwnCode(owner, refuse);
    checkLoaded(ownCode);
    return makers[format](path, ownCode);
  });
  for (let email = await next(); make && email !== undefined; email = await next()) {
    const given = email;
    await replyWith(() => make(given));
  }
  // Do not wait for anything that a component has left running.
  process.exit();
}

main();
