import packageJson from '../../../package.json' with { type: 'json' };

/** This program's version, as in package.json. */
export const version = packageJson.version;

/** The oldest Node it runs on, such as `22.19`. */
export const oldestNode = packageJson.engines.node.replace('>=', '');
