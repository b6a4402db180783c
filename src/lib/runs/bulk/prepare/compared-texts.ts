import type { TemplateSource } from '../../../mail/content/template.ts';

/** A comparison in a tag, such as `a > b`. */
export interface Comparison {
  /** With its flag, such as `--text: {% if a > b %}`. */
  readonly written: string;
  readonly left: string;
  readonly operator: string;
  readonly right: string;
}

const conditions = /\{%-?\s*(?:if|elsif|unless)\s(.*?)-?%\}/gs;
const comparison =
  /(?<![\w.\]-])([A-Za-z_][\w-]*|"[^"]*"|'[^']*'|-?\d+(?:\.\d+)?)\s*(==|!=|>=|<=|>|<)\s*([A-Za-z_][\w-]*|"[^"]*"|'[^']*'|-?\d+(?:\.\d+)?)(?![\w.[-])/g;

/** The comparisons in the tags of a template. */
export function comparisonsIn({ flag, source }: TemplateSource): readonly Comparison[] {
  return [...source.matchAll(conditions)].flatMap(([tag, condition = '']) =>
    [...condition.matchAll(comparison)].map(([, left = '', operator = '', right = '']) => ({
      ...{ written: `${flag}: ${tag}`, left, operator, right },
    })),
  );
}

/**
 * The values of a row that Liquid compares otherwise than as the numbers they look like, as in `"9" > "100"`;
 * undefined if the comparison has the result that it has for numbers.
 */
export function misread(
  { left, operator, right }: Comparison,
  values: Readonly<Record<string, unknown>>,
): string | undefined {
  const a = operandIn(left, values);
  const b = operandIn(right, values);
  const [x, y] = [numberIn(a), numberIn(b)];
  if (a === undefined || b === undefined || x === undefined || y === undefined) return undefined;
  const areTexts = typeof a === 'string' && typeof b === 'string';
  const isEquality = operator === '==' || operator === '!=';
  // Two texts that are compared so may be postcodes.
  if (isEquality && areTexts) return undefined;
  const asRead = areTexts
    ? holds(a, operator, b)
    : isEquality
      ? holds(Number(typeof a === typeof b && a === b), operator, 1)
      : holds(Number(a), operator, Number(b));
  if (asRead === holds(x, operator, y)) return undefined;
  return `${JSON.stringify(a)} ${operator} ${JSON.stringify(b)} is ${asRead}`;
}

function operandIn(
  operand: string,
  values: Readonly<Record<string, unknown>>,
): string | number | undefined {
  if (/^["']/.test(operand)) return operand.slice(1, -1);
  if (/^[-\d]/.test(operand)) return Number(operand);
  const value = values[operand];
  return typeof value === 'string' || typeof value === 'number' ? value : undefined;
}

/** The number that a person reads in a value; undefined if it is none. */
function numberIn(value: string | number | undefined): number | undefined {
  if (typeof value !== 'string') return value;
  const text = value.trim();
  return /^-?\d+(?:[.,]\d+)?$/.test(text) ? Number(text.replace(',', '.')) : undefined;
}

function holds<Value extends string | number>(a: Value, operator: string, b: Value): boolean {
  if (operator === '==') return a === b;
  if (operator === '!=') return a !== b;
  if (operator === '>') return a > b;
  if (operator === '<') return a < b;
  return operator === '>=' ? a >= b : a <= b;
}
