import type { System } from '../../base/system/system.ts';
import { oldestNode, version } from '../../base/version.ts';
import { type Check, failed, ok } from './check.ts';

/** Checks that the Node in use is new enough. The executable does not need Node. */
export function checkNode({ node }: Pick<System, 'node'>): Check {
  if (node.bun !== undefined) {
    return ok(
      'node',
      `The executable of mailer ${version}, with Bun ${node.bun} (${node.executable})`,
    );
  }
  const detail = `Node ${node.version} runs mailer ${version} (${node.executable})`;
  const [major = 0, minor = 0] = numbers(node.version);
  const [oldestMajor = 0, oldestMinor = 0] = numbers(oldestNode);
  return major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)
    ? ok('node', detail)
    : failed('node', 'usage', detail, `Install Node ${oldestNode} or newer: https://nodejs.org`);
}

function numbers(version: string): number[] {
  return version.split('.').map(Number);
}
