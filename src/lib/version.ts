import packageJson from '../../package.json' with { type: 'json' };

/** This program's version, as in package.json. */
export const version = packageJson.version;
