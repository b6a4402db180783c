import type * as z from 'zod';
import type { ApiIssue } from '../store/errors.ts';

/** The most issues reported for one value. */
const issuesNamed = 100;

/**
 * The issues of an input as zod 3 reports them, which live servers use. They must come from a parse
 * with `reportInput` and `liveMessage`; `above` is the path to the input.
 */
export function liveIssues(
  issues: readonly z.core.$ZodIssue[],
  above: readonly PropertyKey[] = [],
): ApiIssue[] {
  // Version 3 checks unions last.
  const isLate = ({ code }: z.core.$ZodIssue) => code === 'invalid_union';
  const inOrder = [...issues.filter((issue) => !isLate(issue)), ...issues.filter(isLate)];
  return inOrder.slice(0, issuesNamed).map((issue) => liveIssue(issue, above));
}

/** The message of version 3, for schemas without one. */
export function liveMessage(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return typeMessage(typesOf(issue));
    case 'too_small':
      return `${sized(issue.origin, 'at least', 'greater')} ${amount(issue.origin, issue.minimum)}`;
    case 'too_big':
      return `${sized(issue.origin, 'at most', 'less')} ${amount(issue.origin, issue.maximum)}`;
    case 'invalid_format':
      return issue.format === 'regex' ? 'Invalid' : `Invalid ${issue.format}`;
    case 'invalid_value':
      return `Invalid enum value. Expected ${named(issue.values)}, received '${issue.input}'`;
    default:
      return undefined;
  }
}

function liveIssue(issue: z.core.$ZodIssue, above: readonly PropertyKey[]): ApiIssue {
  const path = [...above, ...issue.path];
  const { message } = issue;
  switch (issue.code) {
    case 'invalid_type':
      return { code: issue.code, ...typesOf(issue), path, message };
    case 'too_small':
    case 'too_big': {
      const { code, origin, inclusive = true, exact = false } = issue;
      const limit = code === 'too_small' ? { minimum: issue.minimum } : { maximum: issue.maximum };
      return { code, ...limit, type: kindOf(origin), inclusive, exact, message, path };
    }
    case 'invalid_format':
      return { validation: issue.format, code: 'invalid_string', message, path };
    case 'invalid_value': {
      const { input: received, values: options } = issue;
      if (typeof received !== 'string') {
        const types = { expected: named(options), received: typeName(received) };
        return { ...types, code: 'invalid_type', path, message: typeMessage(types) };
      }
      return { received, code: 'invalid_enum_value', options, path, message };
    }
    case 'invalid_union': {
      const unionErrors = issue.errors.map((issues) => ({
        issues: liveIssues(issues, path),
        name: 'ZodError',
      }));
      // The only message of version 3.
      return { code: issue.code, unionErrors, path, message: 'Invalid input' };
    }
    default:
      return { code: 'custom', message, path };
  }
}

interface Types {
  readonly expected: string;
  readonly received: string;
}

function typesOf({ expected, input }: { expected: string; input?: unknown }): Types {
  // Version 3 has types of its own for a fraction in place of an integer.
  if (expected === 'int') return { expected: 'integer', received: 'float' };
  return { expected: expected === 'record' ? 'object' : expected, received: typeName(input) };
}

function typeName(input: unknown): string {
  if (input === null) return 'null';
  if (Array.isArray(input)) return 'array';
  return Number.isNaN(input) ? 'nan' : typeof input;
}

function typeMessage({ expected, received }: Types): string {
  return received === 'undefined' ? 'Required' : `Expected ${expected}, received ${received}`;
}

/** Values with a size: text, lists and numbers. */
function kindOf(origin: string): string {
  return origin === 'string' || origin === 'array' ? origin : 'number';
}

function sized(origin: string, ofText: string, ofNumber: string): string {
  if (origin === 'string') return `String must contain ${ofText}`;
  if (origin === 'array') return `Array must contain ${ofText}`;
  return `Number must be ${ofNumber} than or equal to`;
}

function amount(origin: string, size: number | bigint): string {
  if (origin === 'string') return `${size} character(s)`;
  return origin === 'array' ? `${size} element(s)` : String(size);
}

function named(values: readonly unknown[]): string {
  return values.map((value) => `'${value}'`).join(' | ');
}
