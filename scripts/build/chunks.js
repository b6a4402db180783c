// Which sources are in one file of the bundle. Each file that is loaded takes a third of a
// millisecond; what is in it and not used takes less, but a library that is not used takes more.
import { resolve } from 'node:path';

/**
 * A plugin that looks at the imports, and the groups for `codeSplitting`: what is loaded together
 * is in one file, with all that it imports. What two groups have in common is in the first. All
 * else is split as the dynamic imports want it.
 */
export function chunks(root) {
  /** Every module's static imports. */
  const imports = new Map();
  const source = (name) => resolve(root, 'src', `${name}.ts`);
  const commands = resolve(root, 'src', 'commands');
  // What nearly every command needs that is run.
  const work = [
    'lib/account/account',
    'lib/account/config',
    'lib/output/palette',
    'lib/output/print',
  ].map(source);
  // What asks the service.
  const client = [
    'api/operation',
    'api/shown',
    'lib/account/config-modes',
    'lib/account/config-shape',
    'lib/http/client',
    'lib/http/network/loopback',
    'lib/http/pacing',
    'lib/http/network/proxies',
    'lib/system/abort',
    'shared/without-warning',
  ].map(source);

  /** These modules and all that they lead to without a dynamic import. */
  const withImports = (ids) => {
    const found = new Set(ids);
    // A set goes on with what is added to it meanwhile.
    for (const id of found) for (const one of imports.get(id) ?? []) found.add(one);
    return found;
  };

  /** What more than one of them imports, as far as that leads to nothing that takes time. */
  const helpers = once(() => {
    const known = withImports(['cli/process', 'cli/run-command'].map(source));
    const ofCommands = [...imports.keys()]
      .filter((id) => id.startsWith(commands))
      .map((id) => [id]);
    const users = new Map();
    for (const roots of [...ofCommands, [...work, ...client], [source('cli/complete')]]) {
      for (const id of withImports(roots)) users.set(id, (users.get(id) ?? 0) + 1);
    }
    // Node has loaded these when it gets here.
    const isCheap = (id) =>
      known.has(id) || /^node:(fs|path|util)$/.test(id) || id.startsWith(resolve(root, 'src'));
    return new Set(
      [...users.keys()].filter(
        (id) =>
          users.get(id) > 1 && !id.startsWith(commands) && [...withImports([id])].every(isCheap),
      ),
    );
  });

  const groups = {
    // What is needed before it is known what is asked for.
    first: (id) => id === source('cli/process'),
    'run-command': (id) => id === source('cli/run-command'),
    helpers: (id) => helpers().has(id),
    work: (id) => work.includes(id),
    zod: (id) => /[\\/]node_modules[\\/]zod[\\/]/.test(id),
    client: (id) => client.includes(id),
  };
  return {
    plugin: {
      name: 'graph',
      buildEnd() {
        for (const id of this.getModuleIds()) imports.set(id, this.getModuleInfo(id).importedIds);
        const names = imports.has(source('cli/process')) ? [...work, ...client] : [];
        const missing = names.filter((id) => !imports.has(id));
        if (missing.length > 0) this.error(`chunks.js names what is not there: ${missing}`);
      },
    },
    groups: Object.entries(groups).map(([name, test], index, { length }) => ({
      name,
      test,
      priority: length - index,
    })),
  };
}

function once(make) {
  let made;
  return () => {
    made ??= make();
    return made;
  };
}
