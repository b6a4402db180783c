import * as z from 'zod';
import { lenientObject } from '../api/lenient.ts';

/** What `--json` shows of the program itself. */
export const versionReply = lenientObject({
  version: z.string(),
  commit: z
    .string()
    .nullable()
    .describe('the commit of its sources; null if they were not exactly those of a commit'),
  build: z
    .string()
    .nullable()
    .describe('date of the build, ISO 8601: `SOURCE_DATE_EPOCH`, or else the date of the commit'),
  runtime: lenientObject({
    name: z.enum(['node', 'bun']).describe('`bun` in the executable'),
    version: z.string(),
    platform: z.string().describe('such as `linux`, `darwin` or `win32`'),
    arch: z.string().describe('such as `x64` or `arm64`'),
    libc: z.enum(['glibc', 'musl']).nullable().describe('null if there is none, or it is unknown'),
  }).describe('what runs the program'),
  packages: z
    .array(lenientObject({ name: z.string(), version: z.string() }))
    .describe('what is bundled; empty if it was not built'),
});

export type VersionReply = z.infer<typeof versionReply>;
