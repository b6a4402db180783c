import * as z from 'zod';
import { lenientObject } from '../api/lenient.ts';
import { type ErrorCode, exitCodes } from '../lib/base/errors.ts';

/** What `--json` shows of accounts and their settings. Keys are always masked. */

// The keys of an object literal are what its type says.
export const errorCode = z.enum(Object.keys(exitCodes) as [ErrorCode, ...ErrorCode[]]);

const maskedKey = z.string().describe('masked');

export const loginReply = lenientObject({
  profile: z.string(),
  current: z.boolean().describe('whether it is the current profile'),
  baseUrl: z.string(),
  key: maskedKey,
  keyCommand: z.string().nullable().describe('the command that prints the key, if it is stored'),
  path: z.string().describe('the file it is stored in'),
});

export const logoutReply = lenientObject({ profile: z.string(), path: z.string() });

export const whoamiReply = lenientObject({
  profile: z.string().nullable().describe('null with `--sandbox`'),
  baseUrl: z.string().nullable(),
  baseUrlSource: z.string().nullable().describe('where it comes from, for people'),
  key: maskedKey.nullable(),
  keySource: z.string().nullable().describe('where it comes from, for people'),
  team: z.string().nullable().describe('the account that the key belongs to; null if not known'),
  scopes: z
    .array(z.string())
    .nullable()
    .describe('what the key may do; null if it is not limited, or not known'),
  reachable: z.boolean().nullable().describe('null if it was not tested'),
  domains: z
    .array(lenientObject({ name: z.string(), status: z.string().nullable() }))
    .nullable()
    .describe('null if they could not be listed'),
  rateLimit: lenientObject({
    limit: z.int().describe('requests in a window'),
    remaining: z.int().describe('left after this one'),
  })
    .nullable()
    .describe('null if the service has none'),
  policy: lenientObject({
    rules: z.array(z.string()).describe('names of the rules about who may be mailed'),
    places: z.array(z.string()).describe('where they are set'),
    problem: z
      .string()
      .nullable()
      .describe('why the rules cannot be read, so that nothing is sent'),
  })
    .nullable()
    .describe('null if there are no rules; for their values: `policy show`'),
  problem: lenientObject({
    code: errorCode,
    message: z.string(),
    status: z.int().optional().describe('HTTP status'),
  })
    .nullable()
    .describe('the error of the command'),
});

export const feature = lenientObject({
  feature: z.string(),
  offered: z.boolean().nullable().describe('whether at least some of it is; null if not known'),
  missing: z.array(z.string()).describe('operations that the service does not offer'),
});

export const profileRow = lenientObject({
  name: z.string(),
  current: z.boolean(),
  baseUrl: z.string().nullable(),
  key: maskedKey.nullable(),
  keyCommand: z.string().nullable(),
});

export const profileUseReply = lenientObject({ currentProfile: z.string() });
export const profileRenameReply = lenientObject({ name: z.string(), formerName: z.string() });
export const profileDeleteReply = lenientObject({ name: z.string(), currentProfile: z.string() });

const value = z.string().nullable().describe('null if it is not set');

export const settingReply = lenientObject({ profile: z.string(), name: z.string(), value });
export const settingRow = lenientObject({ name: z.string(), value });
export const pathReply = lenientObject({ path: z.string().describe('absolute path') });

export type LoginReply = z.infer<typeof loginReply>;
export type LogoutReply = z.infer<typeof logoutReply>;
export type WhoamiReply = z.infer<typeof whoamiReply>;
export type ProfileRow = z.infer<typeof profileRow>;
export type ProfileUseReply = z.infer<typeof profileUseReply>;
export type ProfileRenameReply = z.infer<typeof profileRenameReply>;
export type ProfileDeleteReply = z.infer<typeof profileDeleteReply>;
export type SettingReply = z.infer<typeof settingReply>;
export type SettingRow = z.infer<typeof settingRow>;
export type PathReply = z.infer<typeof pathReply>;
