import { UsageError } from '../errors.ts';
import type { InputFiles } from './input-files.ts';
import { lostInParsing } from './json-loss.ts';

/**
 * The JSON value and text of a file, or of stdin for `-`. Throws a `UsageError` if it is not JSON.
 */
export async function readJsonSource(
  path: string,
  files: InputFiles,
  flag: string,
  longest?: number,
): Promise<{ readonly value: unknown; readonly text: string }> {
  const text = await files.readText(path, flag, longest);
  try {
    return { value: JSON.parse(text), text };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new UsageError(`${flag}: ${path === '-' ? 'stdin' : path} is not JSON: ${why}`);
  }
}

/**
 * The object in a file. Throws a `UsageError` for any other value, and if `JSON.parse` would lose
 * data.
 */
export async function readJsonObject(
  path: string,
  files: InputFiles,
  flag: string,
): Promise<Record<string, unknown>> {
  const { value, text } = await readJsonSource(path, files, flag);
  const name = path === '-' ? 'stdin' : path;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new UsageError(`${flag}: ${name} does not contain a JSON object`);
  }
  const lost = lostInParsing(text, name);
  if (lost !== undefined) throw new UsageError(`${flag}: ${lost}`);
  // An object that is not an array has string keys.
  return value as Record<string, unknown>;
}
