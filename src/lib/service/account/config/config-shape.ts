import * as z from 'zod';
import { lenientObject } from '../../../../api/lenient.ts';
import { UsageError } from '../../../base/errors.ts';
import { refuseNewer } from '../../../base/files/newer-format.ts';
import { lostInParsing } from '../../../base/input/json-loss.ts';
import { parseContext } from '../../../base/json/zod-context.ts';
import { visible } from '../../../base/text/visible.ts';
import { settingNames } from '../setting-names.ts';
import { type Config, emptyConfig } from './config-types.ts';

/** The format of the file, which has no number before the second one. */
const format = 1;

/** The file's content is not a configuration. The message says why without quoting it. */
export class DamagedConfig extends Error {}

const settings = lenientObject(
  Object.fromEntries(settingNames.map((name) => [name, z.string().exactOptional()])),
);

const profile = lenientObject({
  baseUrl: z.string().exactOptional(),
  apiKey: z.string().exactOptional(),
  keyCommand: z.string().exactOptional(),
  allowHttp: z.boolean().exactOptional(),
  settings: settings.exactOptional(),
});

const shape = lenientObject({
  currentProfile: z.string().default(emptyConfig.currentProfile),
  profiles: z.record(z.string(), profile).default({}),
});

/**
 * Parses the text of the file at `path`; keeps unknown keys. Throws `DamagedConfig`, or a `UsageError` if a
 * newer version wrote it, or a value would be lost: only a person writes such a file, and can correct it.
 */
export function parseConfig(text: string, path: string): Config {
  const json = text.replace(/^\uFEFF/, '');
  const value = parseJson(json);
  // Before its shape, which may be another one.
  refuseNewer(path, Object(value).format, format);
  const parsed = shape.safeParse(value, parseContext);
  if (parsed.success) {
    const lost = lostInParsing(json, 'the file');
    if (lost === undefined) return parsed.data;
    throw new UsageError(visible(`${path}: ${lost}.`), {
      hint: 'Correct it. Until then, it is not used, and nothing is sent.',
    });
  }
  const [issue] = parsed.error.issues;
  const where = issue?.path.join('.') ?? '';
  throw new DamagedConfig(where === '' ? 'it is not a configuration' : `${where} is not valid`);
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    // The parser's own message quotes the text, which contains API keys.
    throw new DamagedConfig('it is not JSON');
  }
}
