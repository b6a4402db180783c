import { schemas } from '../json-schemas/load.ts';
import type { VersionReply } from '../json-schemas/version.ts';
import { libcOf } from '../lib/base/system/libc.ts';
import { version } from '../lib/base/version.ts';
import { defineCommand } from '../lib/command-line/command/command.ts';
import { documentOf } from '../lib/command-line/command/prints.ts';
import { record, time } from '../lib/command-line/output/result.ts';

export const command = defineCommand({
  description:
    'Scripts need only --version. docs/verify.md explains how to check a file that you downloaded.',
  effects: {},
  prints: [documentOf('the program and what is in it', schemas.version('versionReply'))],
  examples: {
    'mailer version': 'What runs, and from which commit it was built',
    'mailer version --jq \'.packages[] | .name + " " + .version\'': 'The packages in it',
  },
  withoutAccount: true,
  async run({ system: { node, platform } }) {
    const { default: build } = await import('mailer-build');
    const runtime = {
      name: node.bun === undefined ? ('node' as const) : ('bun' as const),
      version: node.bun ?? node.version,
      platform,
      arch: node.arch,
      libc: platform === 'linux' ? libcOf(node.executable) : null,
    };
    const { commit, built, packages } = build;
    const names = { node: 'Node', bun: 'Bun' };
    const kind = [platform, node.arch, runtime.libc].filter((word) => word !== null).join(', ');
    return record({
      reply: {
        version,
        commit,
        build: built,
        runtime,
        packages: [...packages],
      } satisfies VersionReply,
      rows: [
        ['version', 'Version', version],
        ['commit', 'Commit', commit],
        ['build', 'Built', time(built)],
        // In words, beside what --json has in full.
        ['runsOn', 'Runtime', `${names[runtime.name]} ${runtime.version} (${kind})`],
        ['packageCount', 'Packages', packages.length],
      ],
      quiet: version,
    });
  },
});
